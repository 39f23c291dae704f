package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.internal.KeyHash;
import outbox.spi.relay.WakeUp;
import outbox.spi.relay.WakeUpChannel;
import outbox.testkit.ManualTime;
import outbox.testkit.World;

class WakeUpSenderTest {

    private final Channel channel = new Channel();
    private final ManualTime clock = new ManualTime();
    private final WakeUpSender sender = new WakeUpSender(channel, lane -> false, clock);

    @Test
    void sendsTheLanesOfWhatWasCommitted() {
        EventEnvelope keyless = World.event();
        commit(World.ofKey("a"), keyless);

        assertThat(sender.sendOnce()).isPositive();

        assertThat(channel.sent).containsExactly(new WakeUp(Set.of(KeyHash.of("a"), KeyHash.of(keyless.eventId()))));
    }

    @Test
    void claimsNothing() {
        assertThat(sender.prepare().claim()).isNull();
    }

    @Test
    void makesFewMessagesOfABurst() {
        for (int n = 0; n < 1_000; n++) {
            commit(World.ofKey("key-" + n % 16));
        }
        sender.sendOnce();

        assertThat(channel.sent).hasSize(1);
        assertThat(channel.sent.get(0).lanes()).hasSize(16);
        assertThat(sender.sendOnce()).isZero();
        assertThat(channel.sent).hasSize(1);
    }

    @Test
    void restsLongerTheFasterEventsCome() {
        assertThat(restAfter(1, Duration.ofMillis(5))).isEqualTo(Duration.ofNanos(1_200_000));
        assertThat(restAfter(2, Duration.ofMillis(2))).isEqualTo(Duration.ofMillis(2));
        assertThat(restAfter(20, Duration.ofMillis(5))).isEqualTo(Duration.ofMillis(5));
        assertThat(restAfter(21, Duration.ofMillis(5))).isEqualTo(Duration.ofMillis(10));
        assertThat(restAfter(5, Duration.ZERO)).isEqualTo(Duration.ofMillis(10));
    }

    /** They are late already, and those behind them are not to be late for their sake. */
    @Test
    void restsNoLongerForWhatHasGatheredWhileItWasKeptFromSending() {
        assertThat(restAfter(50, Duration.ofMillis(50))).isEqualTo(Duration.ofMillis(2));
        assertThat(channel.sent).containsExactly(WakeUp.ANY);
    }

    private Duration restAfter(int events, Duration since) {
        for (int n = 0; n < events; n++) {
            commit(World.ofKey("key-" + n));
        }
        clock.advance(since);
        return sender.sendOnce();
    }

    @Test
    void sendsAnyWhenThereAreTooManyLanes() {
        for (int n = 0; n < 17; n++) {
            commit(World.ofKey("key-" + n));
        }
        commit(World.ofKey("one more"));
        sender.sendOnce();

        assertThat(channel.sent).containsExactly(WakeUp.ANY);
    }

    @Test
    void namesLanesAgainAfterAny() {
        for (int n = 0; n < 17; n++) {
            commit(World.ofKey("key-" + n));
        }
        sender.sendOnce();
        commit(World.ofKey("a"));
        sender.sendOnce();

        assertThat(channel.sent).containsExactly(WakeUp.ANY, new WakeUp(Set.of(KeyHash.of("a"))));
    }

    @Test
    void sendsWhatWasLeftWhileItSent() {
        channel.onSend = () -> {
            channel.onSend = () -> {};
            commit(World.ofKey("last"));
        };
        commit(World.ofKey("first"));

        assertThat(sender.sendOnce()).isPositive();
        assertThat(sender.sendOnce()).isPositive();

        assertThat(channel.sent)
                .containsExactly(new WakeUp(Set.of(KeyHash.of("first"))), new WakeUp(Set.of(KeyHash.of("last"))));
    }

    @Test
    void sendsNothingWhenNothingWasCommitted() {
        commit();

        assertThat(sender.sendOnce()).isZero();
        assertThat(channel.sent).isEmpty();
    }

    @Test
    void wakesTheOwnerInThisProcessWithoutTheChannel() {
        List<Integer> woken = new ArrayList<>();
        WakeUpSender here = new WakeUpSender(channel, lane -> {
            woken.add(lane);
            return lane == KeyHash.of("mine");
        });
        here.prepare().committed(List.of(World.ofKey("mine")));
        assertThat(here.sendOnce()).isZero();

        here.prepare().committed(List.of(World.ofKey("mine"), World.ofKey("theirs")));
        here.sendOnce();

        assertThat(woken).containsExactly(KeyHash.of("mine"), KeyHash.of("mine"), KeyHash.of("theirs"));
        assertThat(channel.sent).containsExactly(new WakeUp(Set.of(KeyHash.of("theirs"))));
    }

    @Test
    void itsThreadSendsTheLastWakeUpOfEveryBurst() {
        try (WakeUpSender started = new WakeUpSender(channel).start()) {
            for (int burst = 0; burst < 20; burst++) {
                String last = "last-" + burst;
                started.prepare().committed(List.of(World.ofKey("first-" + burst)));
                started.prepare().committed(List.of(World.ofKey(last)));

                World.await(
                        "the last word is sent",
                        () -> channel.sent.stream()
                                .anyMatch(wakeUp -> wakeUp.lanes().contains(KeyHash.of(last))));
            }
        }
    }

    @Test
    void itsThreadSurvivesAChannelThatFails() {
        AtomicInteger failures = new AtomicInteger(1);
        channel.onSend = () -> {
            if (failures.getAndDecrement() > 0) {
                throw new OutboxException("the connection is gone");
            }
        };
        try (WakeUpSender started = new WakeUpSender(channel).start()) {
            World.await("a word arrives", () -> {
                started.prepare().committed(List.of(World.ofKey("a")));
                return !channel.sent.isEmpty();
            });
        }
    }

    @Test
    void closesWhileItsThreadIsSending() throws InterruptedException {
        CountDownLatch sending = new CountDownLatch(1);
        channel.onSend = sending::countDown;
        WakeUpSender started = new WakeUpSender(channel).start();
        started.prepare().committed(List.of(World.ofKey("a")));
        sending.await();

        started.close();
        started.close();

        assertThat(channel.sent).hasSizeLessThanOrEqualTo(1);
    }

    private void commit(EventEnvelope... events) {
        sender.prepare().committed(List.of(events));
    }

    private static final class Channel implements WakeUpChannel {
        final List<WakeUp> sent = new CopyOnWriteArrayList<>();
        volatile Runnable onSend = () -> {};

        @Override
        public void send(WakeUp wakeUp) {
            onSend.run();
            sent.add(wakeUp);
        }

        @Override
        public List<WakeUp> receive(Duration atMost) {
            return List.of();
        }

        @Override
        public void close() {}
    }
}
