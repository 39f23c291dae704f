package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.PermanentFailureException;
import outbox.internal.Ulids;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.PublishResult;
import outbox.registry.DestinationListener;
import outbox.spi.DestinationTraits;
import outbox.testkit.TransportFixture.Received;

/** What is handed over arrives: once, whole, and with what says what it is. */
interface TransportDeliveryContract extends TransportPart {

    @Test
    default void deliversEveryEventOfACallOnce() {
        try (TransportUnderTest transport = open()) {
            DestinationTraits traits = transport.destination().traits();
            List<EventEnvelope> events = new ArrayList<>();
            for (int key = 0; key < Math.min(50, traits.keysPerCallMax()); key++) {
                events.addAll(TransportUnderTest.ofKey("key-" + key, Math.min(5, traits.eventsPerKeyMax())));
            }

            transport.deliverAll(events);

            assertThat(transport.fixture().received(events.size()))
                    .extracting(Received::eventId)
                    .containsExactlyInAnyOrderElementsOf(Events.ids(events));
        }
    }

    @Test
    default void deliversEventsWithoutKey() {
        try (TransportUnderTest transport = open()) {
            List<EventEnvelope> events = List.of(TransportUnderTest.ofKey(null), TransportUnderTest.ofKey(null));

            transport.deliverAll(events);

            assertThat(transport.receivedIds(2)).containsExactlyInAnyOrderElementsOf(Events.ids(events));
        }
    }

    @Test
    default void carriesTheKeyWhereItCarriesOne() {
        try (TransportUnderTest transport = open()) {
            transport.deliverAll(List.of(TransportUnderTest.ofKey("order-1")));

            assertThat(transport.fixture().received(1))
                    .singleElement()
                    .satisfies(received -> assertThat(received.key()).isIn("order-1", null));
        }
    }

    @Test
    default void carriesWhatTheEventIsInHeaders() {
        try (TransportUnderTest transport = open()) {
            String id = Ulids.SYSTEM.next();
            EventEnvelope event = TransportUnderTest.sample(id)
                    .aggregateType("Order")
                    .aggregateId("order-1")
                    .tenantId("tenant-1")
                    .occurredAt(Instant.parse("2026-01-02T03:04:05.678901Z"))
                    .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                    .header("shop", "north & south; 100 %")
                    .build();

            transport
                    .asAllowed(List.of(new Delivery(event, 3)))
                    .run(transport.fixture().patience());

            List<Received> received = transport.fixture().received(1);
            assertThat(received).hasSize(1);
            if (!transport.fixture().carriesHeaders()) {
                assertThat(received.get(0).body()).isEqualTo(event.payloadJson()); // The payload and nothing else.
                return;
            }
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            headers.putAll(received.get(0).headers());
            assertThat(headers)
                    .containsEntry("outbox-event-id", id)
                    .containsEntry("outbox-event-type", TransportUnderTest.TYPE)
                    .containsEntry("outbox-aggregate-type", "Order")
                    .containsEntry("outbox-aggregate-id", "order-1")
                    .containsEntry("outbox-tenant-id", "tenant-1")
                    .containsEntry("outbox-occurred-at", "2026-01-02T03:04:05.678901Z")
                    .containsEntry("outbox-attempt", "3")
                    .containsEntry("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                    .containsEntry("shop", "north & south; 100 %");
        }
    }

    @Test
    default void deliversJsonByteForByte() {
        try (TransportUnderTest transport = open()) {
            String id = Ulids.SYSTEM.next();
            String json = "{ \"id\" :\"" + id + "\",\t\"b\":1.0e+2,\"a\":\"\\u0000\\/ \\\" é € " + FidelityContract.CAT
                    + "\",\"a\":[ ]}";

            transport.deliverAll(
                    List.of(TransportUnderTest.sample(id).payloadJson(json).build()));

            assertThat(transport.fixture().received(1))
                    .singleElement()
                    .extracting(Received::body)
                    .isEqualTo(json);
        }
    }

    @Test
    default void deliversBinaryByteForByteOrRejectsIt() {
        try (TransportUnderTest transport = open()) {
            byte[] bytes = new byte[256];
            for (int n = 0; n < bytes.length; n++) {
                bytes[n] = (byte) n;
            }
            EventEnvelope event = EventEnvelope.ofBytes(TransportUnderTest.TYPE, bytes);

            Outcome outcome = transport
                    .asAllowed(List.of(new Delivery(event, 1)))
                    .run(transport.fixture().patience())
                    .outcomes()
                    .get(event.eventId());

            if (transport.fixture().takesBinary()) {
                TransportUnderTest.isDelivered(outcome);
                assertThat(transport.fixture().received(1)).singleElement().satisfies(received -> {
                    assertThat(received.eventId()).isEqualTo(event.eventId());
                    assertThat(received.body()).isEqualTo(Base64.getEncoder().encodeToString(bytes));
                });
            } else {
                assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
                assertThat(transport.fixture().received(0)).isEmpty();
            }
        }
    }

    @Test
    default void deliversALargeEvent() {
        try (TransportUnderTest transport = open()) {
            String id = Ulids.SYSTEM.next();
            String json = "{\"id\":\"" + id + "\",\"text\":\"" + "x".repeat(100_000) + "\"}";

            transport.deliverAll(
                    List.of(TransportUnderTest.sample(id).payloadJson(json).build()));

            assertThat(transport.fixture().received(1))
                    .singleElement()
                    .satisfies(received -> assertThat(received.body().getBytes(StandardCharsets.UTF_8))
                            .hasSize(json.length()));
        }
    }

    // ---- the other two doors ---------------------------------------------------------------------------------------

    @Test
    default void publishesSingleMessages() throws Exception {
        try (TransportUnderTest transport = open()) {
            EventEnvelope event = TransportUnderTest.ofKey("order-1");

            PublishResult result = transport
                    .destination()
                    .publish(event)
                    .get(transport.fixture().patience().toMillis(), TimeUnit.MILLISECONDS);

            assertThat(result.eventType()).isEqualTo(TransportUnderTest.TYPE);
            assertThat(result.key()).isEqualTo("order-1");
            assertThat(result.metadata()).isNotBlank();
            assertThat(transport.receivedIds(1)).containsExactly(event.eventId());
        }
    }

    @Test
    default void worksAsAListener() throws Exception {
        try (TransportUnderTest transport = open()) {
            DestinationListener listener = new DestinationListener(
                    transport.destination(), transport.fixture().patience());
            EventEnvelope event = TransportUnderTest.ofKey("order-1");

            listener.onEvent(event);

            assertThat(transport.receivedIds(1)).containsExactly(event.eventId());
            EventEnvelope oversized = transport.fixture().oversized();
            assertThatThrownBy(() -> listener.onEvent(oversized))
                    .satisfies(thrown -> assertThat(thrown instanceof PermanentFailureException)
                            .isEqualTo(transport.fixture().outcomeOfOversized() == Outcome.Rejected.class));
        }
    }
}
