package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.PermanentFailureException;
import outbox.RetryAfterException;
import outbox.model.EventStatus;
import outbox.testkit.RecordingListener;
import outbox.testkit.World;

/** What the dispatcher makes of an event whose delivery fails, from the listener to the row. */
class RetryTest {

    private final World world = new World();

    @Test
    void triesAgainAfterTheDelayOfThePolicy() {
        Instance instance = failing(new IllegalStateException("broker down"));
        EventEnvelope event = instance.publish(World.event());
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
        assertThat(world.state(event).attempts()).isEqualTo(1);
        assertThat(world.state(event).lastError())
                .contains("IllegalStateException")
                .contains("broker down");
        assertThat(world.state(event).availableAt())
                .isEqualTo(world.time.instant().plusSeconds(1));
        assertThat(instance.wakeUps()).contains(Duration.ofSeconds(1));

        world.time.advance(Duration.ofMillis(999));
        instance.poll();
        assertThat(instance.deliverOne()).isFalse();
        world.time.advance(Duration.ofMillis(1));
        instance.poll();
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
        assertThat(world.state(event).attempts()).isEqualTo(1);
    }

    @Test
    void asksThePolicyWithTheNumberOfFailures() {
        Instance instance = failing(new Exception("1"), new Exception("2"), new Exception("3"));
        EventEnvelope event = instance.publish(World.event());
        instance.work();
        again(instance);
        again(instance);

        assertThat(world.state(event).attempts()).isEqualTo(3);
        assertThat(world.state(event).availableAt())
                .isEqualTo(world.time.instant().plusSeconds(3));
    }

    @Test
    void anEventIsDeadAfterTheLastAttempt() {
        Instance instance = Instance.builder(world)
                .with(c -> c.setRetryMaxAttempts(3))
                .listener(
                        new RecordingListener().failingWith(new Exception("1"), new Exception("2"), new Exception("3")))
                .build();
        EventEnvelope event = instance.publish(World.event());
        instance.work();
        again(instance);
        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
        again(instance);

        assertThat(world.status(event)).isEqualTo(EventStatus.DEAD);
        assertThat(world.state(event).attempts()).isEqualTo(3);
        assertThat(world.state(event).lastError()).contains("3");
        again(instance);
        assertThat(instance.listener().events()).hasSize(3);
    }

    @Test
    void anEventMayAskForFewerAttemptsThanOthersGet() {
        Instance instance = failing(new Exception("1"), new Exception("2"));
        EventEnvelope event = instance.publish(World.sample().maxAttempts(2).build());
        instance.work();
        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
        again(instance);

        assertThat(world.status(event)).isEqualTo(EventStatus.DEAD);
        assertThat(world.state(event).attempts()).isEqualTo(2);
    }

    @Test
    void anEventMayAskForMoreAttemptsThanOthersGet() {
        Instance instance = Instance.builder(world)
                .with(c -> c.setRetryMaxAttempts(1))
                .listener(new RecordingListener().failingWith(new Exception("1")))
                .build();
        EventEnvelope event = instance.publish(World.sample().maxAttempts(2).build());
        instance.work();
        again(instance);

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void aListenerMayChooseTheDelay() {
        Instance instance = failing(new RetryAfterException(Duration.ofMinutes(7), "busy"));
        EventEnvelope event = instance.publish(World.event());
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
        assertThat(world.state(event).attempts()).isEqualTo(1);
        assertThat(world.state(event).availableAt())
                .isEqualTo(world.time.instant().plus(Duration.ofMinutes(7)));
        assertThat(instance.wakeUps()).contains(Duration.ofMinutes(7));
    }

    @Test
    void anEventIsDeadAtOnceWhenTryingAgainCannotHelp() {
        Instance instance = failing(new PermanentFailureException("no such topic"));
        EventEnvelope event = instance.publish(World.event());
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DEAD);
        assertThat(world.state(event).attempts()).isEqualTo(1);
        assertThat(world.state(event).lastError()).contains("no such topic");
    }

    @Test
    void anErrorOfAListenerIsAFailureLikeAnyOther() {
        Instance instance = Instance.in(world);
        instance.listeners().register("OrderPlaced", event -> {
            throw new NoClassDefFoundError("outbox/Gone");
        });
        EventEnvelope event = instance.publish(World.event());
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
        assertThat(world.state(event).lastError()).contains("outbox/Gone");
    }

    @Test
    void aFailureDoesNotHoldUpOtherEvents() {
        Instance instance = failing(new Exception("first only"));
        EventEnvelope failed = instance.publish(World.event());
        EventEnvelope other = instance.publish(World.event());
        instance.work();

        assertThat(world.status(failed)).isEqualTo(EventStatus.RETRY);
        assertThat(world.status(other)).isEqualTo(EventStatus.DONE);
    }

    private Instance failing(Exception... failures) {
        return Instance.builder(world)
                .listener(new RecordingListener().failingWith(failures))
                .build();
    }

    private void again(Instance instance) {
        world.time.advance(Duration.ofSeconds(10));
        instance.poll();
        instance.work();
    }

    @Test
    void anAskedDelayBeyondAllTimeDoesNotHoldUpOtherEvents() {
        Instance instance = failing(new RetryAfterException(Duration.ofSeconds(Long.MAX_VALUE), "never, it seems"));
        EventEnvelope failed = instance.publish(World.event());
        EventEnvelope other = instance.publish(World.event());
        instance.work();

        assertThat(world.status(failed)).isEqualTo(EventStatus.RETRY);
        assertThat(world.status(other)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void aFailureThatCannotBeDescribedIsAFailureLikeAnyOther() {
        Instance instance = failing(new Exception() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("an exception with a fault of its own");
            }
        });
        EventEnvelope event = instance.publish(World.event());
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
    }

    @Test
    void aPolicyThatThrowsDoesNotKeepAnEventFromCountingItsAttempts() throws InterruptedException {
        OutboxDispatcher dispatcher = OutboxDispatcher.builder(world.store.claimStore(), world.store.settleStore())
                .listeners(type -> List.of(event -> {
                    throw new IllegalStateException("broker down");
                }))
                .retryPolicy(attempts -> {
                    throw new ArithmeticException("a policy with a fault of its own");
                })
                .buildWithoutThreads();
        EventEnvelope event = world.publish(dispatcher, World.event());

        dispatcher.runOnce();
        dispatcher.settleOnce();

        assertThat(world.state(event).attempts()).isEqualTo(1);
    }
}
