package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.PublishFailedException;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.PublishResult;

final class DestinationTest {

    private static final EventEnvelope EVENT = EventEnvelope.ofJson("OrderPlaced", "{}");

    @Test
    void publishesAsAFirstAttempt() throws Exception {
        FakeDestination destination = new FakeDestination(new Outcome.Delivered("orders", 1, 2));

        assertThat(destination.publish(EVENT).get())
                .isEqualTo(new PublishResult("OrderPlaced", null, "orders-1@2", 1, 2));
        assertThat(destination.deliveries()).containsExactly(new Delivery(EVENT, 1));
    }

    @Test
    void publishesAPayloadUnderAKey() throws Exception {
        FakeDestination destination = new FakeDestination(new Outcome.Delivered());

        assertThat(destination.publish("T", "k", "{\"a\":1}").get().key()).isEqualTo("k");
        assertThat(destination.deliveries()).singleElement().satisfies(delivery -> {
            assertThat(delivery.event().payloadJson()).isEqualTo("{\"a\":1}");
            assertThat(delivery.event().orderingKey()).isEqualTo("k");
        });
    }

    @Test
    void aPublishThatWasNotConfirmedFailsWithItsOutcome() {
        for (Outcome outcome :
                List.of(new Outcome.Retryable("no broker", Duration.ofSeconds(1)), new Outcome.Rejected("no broker"))) {
            assertThatThrownBy(() -> new FakeDestination(outcome).publish(EVENT).get())
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(PublishFailedException.class, failure -> {
                        assertThat(failure.outcome()).isEqualTo(outcome);
                        assertThat(failure)
                                .hasMessageContaining(EVENT.eventId())
                                .hasMessageContaining("no broker");
                    });
        }
    }

    @Test
    void aPublishWaitsForItsOutcome() {
        CompletableFuture<PublishResult> result = new FakeDestination(null).publish(EVENT);

        assertThat(result).isNotDone();
    }

    @Test
    void aPublishFailsWhenTheDestinationThrows() {
        Destination broken = new Destination() {
            @Override
            public DestinationTraits traits() {
                return DestinationTraits.streaming();
            }

            @Override
            public void deliver(List<Delivery> deliveries, Receipt receipt) {
                throw new IllegalStateException("broken");
            }

            @Override
            public void close() {}
        };

        assertThatThrownBy(() -> broken.publish(EVENT).get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(PublishFailedException.class)
                .hasMessageContaining("broken");
    }

    // ---- factories -------------------------------------------------------------------------------------------------

    @Test
    void aFactoryIsFoundByItsKind() {
        try (Destination destination = DestinationFactory.create("fake", "orders", Map.of("size", "3"))) {
            assertThat(destination).isSameAs(FakeDestinationFactory.made);
            assertThat(FakeDestinationFactory.made.isClosed()).isFalse();
        }
    }

    @Test
    void anUnknownKindIsToldWhichThereAre() {
        assertThatThrownBy(() -> DestinationFactory.create("pigeon", "orders", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("destination orders")
                .hasMessageContaining("\"pigeon\"")
                .hasMessageContaining("[fake]");
    }

    @Test
    void aWrongSettingIsNamed() {
        assertThatThrownBy(() -> DestinationFactory.create("fake", "orders", Map.of("size", "99")))
                .hasMessageContaining("destination orders: setting size must be");
    }

    @Test
    void anUnknownSettingIsRefusedAndNothingStaysOpen() {
        assertThatThrownBy(() -> DestinationFactory.create("fake", "orders", Map.of("sise", "3")))
                .hasMessage("destination orders: unknown settings [sise]; there are [size]");
        assertThat(FakeDestinationFactory.made.isClosed()).isTrue();
    }

    // ---- traits ----------------------------------------------------------------------------------------------------

    @Test
    void traitsChangeOneByOneAndStayPositive() {
        DestinationTraits traits = DestinationTraits.streaming()
                .withEventsPerKeyMax(2)
                .withKeysPerCallMax(3)
                .withKeysInFlightMax(4)
                .withEventsInFlightMax(5)
                .withBytesInFlightMax(6);

        assertThat(traits).isEqualTo(new DestinationTraits(2, 3, 4, 5, 6));
        assertThatThrownBy(() -> traits.withBytesInFlightMax(0)).hasMessageContaining("at least 1");
        assertThatThrownBy(() -> traits.withEventsPerKeyMax(0)).hasMessageContaining("at least 1");
    }
}
