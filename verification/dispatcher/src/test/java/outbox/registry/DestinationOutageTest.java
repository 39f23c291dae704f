package outbox.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.DestinationUnavailableException;
import outbox.EventEnvelope;
import outbox.PermanentFailureException;
import outbox.PublishFailedException;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import outbox.testkit.ManualTime;
import outbox.testkit.RecordingDestination;
import outbox.testkit.World;

/** When a destination that is unavailable is tried again, and what is refused meanwhile. */
class DestinationOutageTest {

    private final ManualTime time = new ManualTime();
    private final RecordingDestination destination = new RecordingDestination();
    private final DestinationListener listener =
            new DestinationListener("orders", destination, Duration.ofSeconds(5), time);

    @Test
    void refusesEventsWithoutTryingThemUntilTheNextProbe() {
        unavailable(null);
        assertThat(refused()).isEqualTo(Duration.ofMillis(250));
        assertThat(destination.deliveries()).hasSize(1);

        time.advance(Duration.ofMillis(100));
        assertThat(refused()).isEqualTo(Duration.ofMillis(150));
        assertThat(destination.deliveries()).hasSize(1);
    }

    @Test
    void probesAtGrowingIntervalsOfFourSecondsAtMost() {
        unavailable(null);
        List<Duration> intervals = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            intervals.add(refused());
            time.advance(intervals.get(i));
        }

        assertThat(intervals)
                .extracting(Duration::toMillis)
                .containsExactly(250L, 500L, 1_000L, 2_000L, 4_000L, 4_000L, 4_000L);
        assertThat(destination.deliveries()).hasSize(7);
    }

    @Test
    void anAnswerEndsTheOutage() {
        for (Outcome answer : List.of(new Outcome.Delivered(), new Outcome.Retryable("500", null))) {
            unavailable(null);
            refused();
            time.advance(Duration.ofMillis(250));
            destination.answer(delivery -> answer);
            tryOne();
            int before = destination.deliveries().size();

            tryOne();

            assertThat(destination.deliveries()).as("after " + answer).hasSize(before + 1);
        }
    }

    @Test
    void waitsForAsLongAsTheDestinationAsksWithinLimits() {
        unavailable(Duration.ofSeconds(3));
        assertThat(refused()).isEqualTo(Duration.ofSeconds(3));
        time.advance(Duration.ofSeconds(3));

        unavailable(Duration.ofDays(1));
        assertThat(refused()).as("it may be back sooner").isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void letsOneEventThroughAtATime() {
        unavailable(null);
        refused();
        time.advance(Duration.ofMillis(250));
        List<Duration> meanwhile = new ArrayList<>();
        destination.answer(delivery -> {
            meanwhile.add(refused());
            time.advance(Duration.ofSeconds(1));
            meanwhile.add(refused());
            time.advance(Duration.ofSeconds(9));
            meanwhile.add(refused());
            return new Outcome.Delivered();
        });

        assertThatCode(() -> listener.onEvent(World.event())).doesNotThrowAnyException();

        assertThat(meanwhile)
                .as("soon while the probe is young, and not often when it hangs")
                .containsExactly(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(4));
        assertThat(destination.deliveries()).hasSize(2);
    }

    @Test
    void spreadsALongBacklogOverTime() {
        unavailable(null);
        refused();
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            waits.add(refused());
        }

        assertThat(waits.subList(0, 1_000)).containsOnly(Duration.ofMillis(250));
        assertThat(waits.subList(1_000, 2_000)).containsOnly(Duration.ofMillis(1_250));
        assertThat(waits.subList(2_000, 3_000)).containsOnly(Duration.ofMillis(2_250));
    }

    @Test
    void anEventThatBeganBeforeTheOutageDoesNotLengthenIt() {
        destination.answer(delivery -> {
            if (destination.deliveries().size() == 1) {
                refused(); // Another worker's event fails meanwhile, and begins the outage.
            }
            return new Outcome.Unavailable("connection refused", Scope.DESTINATION);
        });

        assertThat(refused()).isEqualTo(Duration.ofMillis(250));
        assertThat(destination.deliveries()).hasSize(2);
    }

    @Test
    void anExceptionOfTheDestinationIsNoAnswerAndLetsTheNextEventProbe() {
        unavailable(null);
        refused();
        time.advance(Duration.ofMillis(250));
        destination.answer(delivery -> {
            throw new IllegalStateException("broken");
        });
        assertThatThrownBy(() -> listener.onEvent(World.event())).hasMessage("broken");

        destination.answer(delivery -> new Outcome.Delivered());

        assertThatCode(() -> listener.onEvent(World.event())).doesNotThrowAnyException();
    }

    @Test
    void anAddressThatIsUnavailableLeavesTheOthersAlone() throws Exception {
        destination.answer(delivery -> "missing".equals(delivery.address())
                ? new Outcome.Unavailable("no such topic", Scope.ADDRESS)
                : new Outcome.Delivered());
        assertThat(refusedAt("missing")).isEqualTo(Duration.ofMillis(250));
        assertThat(refusedAt("missing")).isEqualTo(Duration.ofMillis(250));
        assertThat(destination.deliveries()).hasSize(1);

        listener.onDelivery(new Delivery(World.event(), 1, "there", 0));
        assertThat(refusedAt("missing")).isEqualTo(Duration.ofMillis(250));
        assertThat(destination.deliveries()).hasSize(2);

        destination.answer(delivery -> new Outcome.Delivered());
        time.advance(Duration.ofMillis(250));
        listener.onDelivery(new Delivery(World.event(), 1, "missing", 0));
        listener.onDelivery(new Delivery(World.event(), 1, "missing", 0));
        assertThat(destination.deliveries()).hasSize(4);
    }

    /** A transport may know of the address from before, while the destination is down. */
    @Test
    void anAddressThatIsUnavailableDoesNotEndTheOutageOfAll() {
        unavailable(null);
        refused();
        time.advance(Duration.ofMillis(250));
        destination.answer(delivery -> new Outcome.Unavailable("no such topic", Scope.ADDRESS));
        refusedAt("missing");
        int before = destination.deliveries().size();
        unavailable(null);
        refused();
        assertThat(destination.deliveries()).as("the next event probes at once").hasSize(before + 1);

        assertThat(refusedAt("there")).as("after the second probe").isEqualTo(Duration.ofMillis(500));
        assertThat(destination.deliveries()).hasSize(before + 1);
    }

    @Test
    void anEventWhoseAddressCannotBeMadeIsTheDestinationsToReject() {
        Destination template = new Fake((delivery, receipt) -> receipt.report(0, new Outcome.Rejected("no address"))) {
            @Override
            public String addressOf(Delivery delivery) {
                throw new IllegalArgumentException("it has no tenant");
            }
        };

        assertThatThrownBy(() -> new DestinationListener(template).onEvent(World.event()))
                .isInstanceOf(PermanentFailureException.class);
    }

    // ---- no answer ------------------------------------------------------------------------------------------------

    @Test
    void anAttemptWithoutAnAnswerDoesNotCountWhenNothingElseIsDelivered() {
        Destination silent = new Fake((delivery, receipt) -> {});
        DestinationListener impatient = new DestinationListener("orders", silent, Duration.ofMillis(1), time);

        assertThatThrownBy(() -> impatient.onEvent(World.event()))
                .isInstanceOf(DestinationUnavailableException.class)
                .hasMessageContaining("did not answer within");
        assertThatThrownBy(() -> impatient.onEvent(World.event()))
                .as("the next event does not wait for an answer")
                .hasMessageContaining("not tried again yet");
    }

    @Test
    void anAttemptWithoutAnAnswerCountsWhenOthersAreDeliveredMeanwhile() {
        EventEnvelope poison = World.event();
        List<DestinationListener> self = new ArrayList<>();
        Destination picky = new Fake((delivery, receipt) -> {
            if (!delivery.event().equals(poison)) {
                receipt.report(0, new Outcome.Delivered());
                return;
            }
            assertThatCode(() -> self.get(0).onEvent(World.event())).doesNotThrowAnyException();
        });
        DestinationListener impatient = new DestinationListener("orders", picky, Duration.ofMillis(1), time);
        self.add(impatient);

        assertThatThrownBy(() -> impatient.onEvent(poison))
                .isInstanceOf(PublishFailedException.class)
                .hasMessageContaining("did not answer within");
        assertThatCode(() -> impatient.onEvent(World.event())).doesNotThrowAnyException();
    }

    private void unavailable(@Nullable Duration after) {
        destination.answer(delivery -> new Outcome.Unavailable("connection refused", Scope.DESTINATION, after));
    }

    private Duration refused() {
        return refusedAt(null);
    }

    private Duration refusedAt(@Nullable String address) {
        return catchThrowableOfType(
                        DestinationUnavailableException.class,
                        () -> listener.onDelivery(new Delivery(World.event(), 1, address, 0)))
                .retryAfter()
                .orElseThrow();
    }

    private void tryOne() {
        try {
            listener.onEvent(World.event());
        } catch (Exception e) {
            assertThat(e).isNotInstanceOf(DestinationUnavailableException.class);
        }
    }

    /** Answers as it is made to. */
    private static class Fake implements Destination {

        /** One delivery at a time. */
        private interface Answering {
            void answer(Delivery delivery, Receipt receipt);
        }

        private final Answering answering;

        Fake(Answering answering) {
            this.answering = answering;
        }

        @Override
        public DestinationTraits traits() {
            return DestinationTraits.requestResponse();
        }

        @Override
        public void deliver(List<Delivery> deliveries, Receipt receipt) {
            answering.answer(deliveries.get(0), receipt);
        }

        @Override
        public void close() {}
    }
}
