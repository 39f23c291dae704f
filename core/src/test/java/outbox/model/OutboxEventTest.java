package outbox.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.InvalidEventException;
import outbox.util.JsonCodec;

final class OutboxEventTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final EventState STATE =
            new EventState(EventStatus.RETRY, 2, NOON.plusSeconds(1), NOON.plusSeconds(2), null, null, "timeout");

    @Test
    void becomesTheEnvelopeItWas() {
        EventEnvelope published = EventEnvelope.builder("UserCreated")
                .eventId("e-1")
                .occurredAt(NOON)
                .aggregateType("User")
                .aggregateId("u-1")
                .tenantId("t-1")
                .orderingKey("k-1")
                .maxAttempts(3)
                .headers(Map.of("trace", "\"a\"\n😀"))
                .payloadJson("{\"a\": 1}")
                .build();

        assertThat(stored(published).toEnvelope()).isEqualTo(published);
    }

    @Test
    void becomesABinaryEnvelope() {
        EventEnvelope published = EventEnvelope.builder("A")
                .eventId("e-1")
                .occurredAt(NOON)
                .payloadBytes(new byte[] {0, -1})
                .build();

        assertThat(stored(published).toEnvelope()).isEqualTo(published);
    }

    @Test
    void staysWithoutOrderWhenItWasPublishedWithout() {
        EventEnvelope published = EventEnvelope.builder("A")
                .occurredAt(NOON)
                .aggregateId("u-1")
                .orderingKey(null)
                .payloadJson("{}")
                .build();

        assertThat(stored(published).toEnvelope().orderingKey()).isNull();
    }

    @Test
    void knowsItsState() {
        OutboxEvent event = row("{}", null, null);

        assertThat(event.status()).isEqualTo(EventStatus.RETRY);
        assertThat(event.attempts()).isEqualTo(2);
        assertThat(event.createdAt()).isEqualTo(NOON.plusSeconds(1));
        assertThat(event.availableAt()).isEqualTo(NOON.plusSeconds(2));
    }

    @Test
    void hasNoHeadersWhereNoneAreStored() {
        assertThat(row("{}", null, null).toEnvelope().headers()).isEmpty();
        assertThat(row("{}", "{}", null).toEnvelope().headers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{\"a\":1}", "{\"a\":\"b\""})
    void refusesHeadersThatNobodyPublished(String headers) {
        OutboxEvent event = row("{}", headers, null);

        assertThatThrownBy(event::toEnvelope)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not JSON");
    }

    @Test
    void givesAPayloadAsItIsStored() {
        assertThat(row("{broken ä", null, null).toEnvelope().payloadJson()).isEqualTo("{broken ä");
        assertThat(row("{broken ä", null, null).toEnvelope().payloadSize()).isEqualTo(10);
    }

    @Test
    void refusesARowThatNobodyPublished() {
        assertThatThrownBy(row(null, null, null)::toEnvelope).isInstanceOf(InvalidEventException.class);
        assertThatThrownBy(row("{}", null, 0)::toEnvelope).isInstanceOf(InvalidEventException.class);
    }

    private static OutboxEvent row(String payload, String headers, Integer maxAttempts) {
        return new OutboxEvent("e-1", "A", null, null, null, null, payload, null, headers, NOON, maxAttempts, STATE);
    }

    private static OutboxEvent stored(EventEnvelope event) {
        return new OutboxEvent(
                event.eventId(),
                event.eventType(),
                event.aggregateType(),
                event.aggregateId(),
                event.tenantId(),
                event.orderingKey(),
                event.payloadJson(),
                event.payloadBytes(),
                JsonCodec.encode(event.headers()),
                event.occurredAt(),
                event.maxAttempts().isPresent() ? event.maxAttempts().getAsInt() : null,
                STATE);
    }
}
