package outbox.kafka;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Producer;

/**
 * Ends a producer. It is never closed on its own thread: what that thread still does afterwards would bring back the
 * producer's beans in the JVM, and with them all of its memory.
 */
final class ProducerEnd {

    private static final Duration CHECK_AGAIN = Duration.ofNanos(50_000);

    private ProducerEnd() {}

    /**
     * Returns when the producer sends nothing more, at once even on its own thread; it is closed soon after. What it had
     * fails.
     */
    static void stop(Producer<?, ?> producer) {
        Thread closing =
                Thread.ofPlatform().daemon().name("outbox-kafka-close").start(() -> producer.close(Duration.ZERO));
        while (closing.isAlive() && !isStopped(producer)) {
            LockSupport.parkNanos(CHECK_AGAIN.toNanos());
        }
    }

    // There is no other question that a producer answers without waiting. One without transactions always refuses to
    // begin one; once it is stopped, it says that first.
    private static boolean isStopped(Producer<?, ?> producer) {
        try {
            producer.beginTransaction();
            return false;
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage()).contains("closed");
        }
    }
}
