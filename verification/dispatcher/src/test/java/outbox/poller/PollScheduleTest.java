package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.spi.TimeSource;
import outbox.testkit.ManualTime;
import outbox.testkit.World;

@Timeout(60)
class PollScheduleTest {

    private static final Duration LONG = Duration.ofDays(1);

    private final ManualTime time = new ManualTime();
    private final PollSchedule wakeUps = new PollSchedule(time);

    @Test
    void keepsAWakeUpThatComesBeforeTheWait() throws InterruptedException {
        wakeUps.wakeAfter(Duration.ZERO);

        wakeUps.await(LONG);
    }

    @Test
    void endsAWaitThatIsUnderWay() throws InterruptedException {
        Waiting waiting = new Waiting();
        waiting.untilItWaits();

        wakeUps.wakeAfter(Duration.ZERO);

        waiting.thread.join();
        assertThat(waiting.returned).isTrue();
    }

    @Test
    void takesAllWishesThatAreDueWithOneLook() throws InterruptedException {
        wakeUps.wakeAfter(Duration.ZERO);
        wakeUps.wakeAfter(Duration.ofSeconds(1));
        wakeUps.wakeAfter(Duration.ofSeconds(2));
        time.advance(Duration.ofSeconds(3));
        wakeUps.await(LONG);

        assertWaits();
    }

    @Test
    void waitsUntilADelayedWishIsDue() throws InterruptedException {
        wakeUps.wakeAfter(Duration.ofSeconds(10));
        time.advance(Duration.ofSeconds(9));
        assertWaits();

        time.advance(Duration.ofSeconds(1));
        wakeUps.await(LONG);
    }

    @Test
    void keepsALaterWishWhenAnEarlierOneIsTaken() throws InterruptedException {
        wakeUps.wakeAfter(Duration.ofSeconds(20));
        wakeUps.wakeAfter(Duration.ZERO);
        wakeUps.await(LONG);
        assertWaits();

        time.advance(Duration.ofSeconds(20));
        wakeUps.await(LONG);
    }

    @Test
    void isNeverEarlyAndAtMostAGrainLate() throws InterruptedException {
        wakeUps.wakeAfter(Duration.ofMillis(12));
        time.advance(Duration.ofMillis(11));
        assertWaits();

        time.advance(Duration.ofMillis(4));
        wakeUps.await(LONG);
    }

    @Test
    void waitsNoLongerThanAskedTo() throws InterruptedException {
        new PollSchedule(TimeSource.SYSTEM).await(Duration.ofMillis(1));
    }

    @Test
    void remembersOnlySoManyWishesAndForgetsTheLatest() throws InterruptedException {
        for (int seconds = 1_001; seconds >= 1; seconds--) {
            wakeUps.wakeAfter(Duration.ofSeconds(seconds));
        }
        time.advance(Duration.ofSeconds(1_000));
        wakeUps.await(LONG);

        time.advance(Duration.ofSeconds(1));
        assertWaits();
    }

    @Test
    void takesADelayBeyondAllTime() throws InterruptedException {
        wakeUps.wakeAfter(Duration.ofSeconds(Long.MAX_VALUE));

        assertWaits();
    }

    /** A wait that nothing ends but the test. */
    private final class Waiting {

        final AtomicBoolean returned = new AtomicBoolean();
        final Thread thread = new Thread(this::run, "waiting");

        Waiting() {
            thread.start();
        }

        private void run() {
            try {
                wakeUps.await(LONG);
                returned.set(true);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void untilItWaits() {
            World.await(
                    "the thread waits or is at its end",
                    () -> thread.getState() == Thread.State.TIMED_WAITING
                            || thread.getState() == Thread.State.TERMINATED);
        }
    }

    private void assertWaits() throws InterruptedException {
        Waiting waiting = new Waiting();
        waiting.untilItWaits();
        waiting.thread.interrupt();
        waiting.thread.join();
        assertThat(waiting.returned).isFalse();
    }
}
