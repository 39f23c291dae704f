package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.model.Delivery;
import outbox.model.EventStatus;
import outbox.model.Outcome;
import outbox.spi.DestinationTraits;
import outbox.testkit.RecordingDestination;
import outbox.testkit.World;

/** A listener can learn the number of the attempt, also when it is a destination. */
class AttemptNumberTest {

    private final World world = new World();
    private final Instance instance = Instance.in(world);

    @Test
    void tellsListenersWhichAttemptItIs() {
        List<Integer> attempts = new ArrayList<>();
        instance.listeners().registerAll(new EventListener() {
            @Override
            public void onEvent(EventEnvelope event) {
                throw new AssertionError("the dispatcher calls onDelivery");
            }

            @Override
            public void onDelivery(Delivery delivery) {
                attempts.add(delivery.attempt());
                if (delivery.attempt() < 3) {
                    throw new IllegalStateException("not yet");
                }
            }
        });
        EventEnvelope event = instance.publish(World.event());

        instance.work(); // On the hot path; then twice from the store.
        again();
        again();

        assertThat(attempts).containsExactly(1, 2, 3);
        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void tellsDestinationsWhichAttemptItIs() {
        try (RecordingDestination destination = new RecordingDestination(DestinationTraits.requestResponse())) {
            destination.answer(delivery -> delivery.attempt() == 1
                    ? new Outcome.Retryable("busy", Duration.ofSeconds(1))
                    : new Outcome.Rejected("never"));
            instance.listeners().registerDestination(destination, "*");
            EventEnvelope event = instance.publish(World.event());

            instance.work();
            assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
            again();

            assertThat(destination.deliveries()).containsExactly(new Delivery(event, 1), new Delivery(event, 2));
            assertThat(world.status(event)).isEqualTo(EventStatus.DEAD);
            assertThat(world.state(event).lastError()).contains("never");
        }
    }

    private void again() {
        world.time.advance(Duration.ofMinutes(1));
        instance.poll();
        instance.work();
    }
}
