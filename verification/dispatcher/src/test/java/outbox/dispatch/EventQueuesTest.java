package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.testkit.World;

class EventQueuesTest {

    private static final long UNLIMITED = Long.MAX_VALUE;

    @Test
    void givesHotEventsFirstAndEachQueueInItsOrder() {
        EventQueues queues = new EventQueues(10, 10, UNLIMITED);
        QueuedEvent cold1 = cold(1);
        QueuedEvent cold2 = cold(1);
        QueuedEvent hot1 = hot(1);
        QueuedEvent hot2 = hot(1);
        queues.offer(cold1);
        queues.offer(cold2);
        queues.offer(hot1);
        queues.offer(hot2);

        assertThat(queues.drain()).containsExactly(hot1, hot2, cold1, cold2);
        assertThat(queues.poll()).isNull();
    }

    @Test
    void boundsEachQueueByItself() {
        EventQueues queues = new EventQueues(1, 2, UNLIMITED);

        assertThat(queues.offer(hot(1))).isTrue();
        assertThat(queues.offer(hot(1))).isFalse();
        assertThat(queues.offer(cold(1))).isTrue();
        assertThat(queues.offer(cold(1))).isTrue();
        assertThat(queues.offer(cold(1))).isFalse();
        assertThat(queues.hotDepth()).isEqualTo(1);
        assertThat(queues.coldDepth()).isEqualTo(2);
        assertThat(queues.coldRoom()).isZero();
    }

    @Test
    void boundsThePayloadsOfBothQueuesTogether() {
        EventQueues queues = new EventQueues(10, 10, 100);

        assertThat(queues.offer(hot(40))).isTrue();
        assertThat(queues.offer(cold(60))).isTrue();
        assertThat(queues.bytesRoom()).isZero();
        assertThat(queues.offer(cold(1))).isFalse();
        assertThat(queues.offer(hot(1))).isFalse();
    }

    @Test
    void hasRoomAgainForWhatWasTaken() {
        EventQueues queues = new EventQueues(1, 10, 100);
        queues.offer(hot(80));
        assertThat(queues.offer(cold(30))).isFalse();
        assertThat(queues.offer(hot(10))).isFalse();
        assertThat(queues.bytesRoom()).isEqualTo(20);

        queues.poll();

        assertThat(queues.bytesRoom()).isEqualTo(100);
        assertThat(queues.offer(cold(30))).isTrue();
        assertThat(queues.bytesRoom()).isEqualTo(70);
    }

    @Test
    void letsAnEventPassAloneThatIsLargerThanTheLimit() {
        EventQueues queues = new EventQueues(10, 10, 100);

        assertThat(queues.offer(cold(500))).isTrue();
        assertThat(queues.bytesRoom()).isZero();
        assertThat(queues.offer(cold(500))).isFalse();
        queues.poll();
        assertThat(queues.offer(cold(500))).isTrue();
    }

    @Test
    void refusesALargeEventWhileOthersWait() {
        EventQueues queues = new EventQueues(10, 10, 100);
        queues.offer(cold(1));

        assertThat(queues.offer(cold(500))).isFalse();
    }

    @Test
    void doesNotWaitLongerThanAskedTo() throws InterruptedException {
        EventQueues queues = new EventQueues(1, 1, UNLIMITED);

        assertThat(queues.take(Duration.ZERO)).isNull();
        assertThat(queues.take(Duration.ofMillis(1))).isNull();
    }

    @Test
    void wakesATakerThatWaits() throws InterruptedException {
        EventQueues queues = new EventQueues(1, 1, UNLIMITED);
        QueuedEvent event = cold(1);
        Thread offering = new Thread(() -> queues.offer(event));
        offering.start();

        assertThat(queues.take(Duration.ofSeconds(30))).isSameAs(event);
        offering.join();
    }

    private static QueuedEvent hot(int size) {
        return new QueuedEvent(World.ofBytes(size), QueuedEvent.Source.HOT, 0);
    }

    private static QueuedEvent cold(int size) {
        return new QueuedEvent(World.ofBytes(size), QueuedEvent.Source.COLD, 0);
    }
}
