package outbox.kafka;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Producer;

/**
 * Stops a producer from a separate thread. After a close on the producer's own thread, the rest of that thread would
 * register the producer's JMX beans again, which would keep all of its memory.
 */
final class ProducerEnd {

    private static final Duration CHECK_AGAIN = Duration.ofNanos(50_000);

    private ProducerEnd() {}

    /** Returns when the producer sends nothing more, even on its own thread. Its pending records fail. */
    static void stop(Producer<?, ?> producer) {
        Thread closing =
                Thread.ofPlatform().daemon().name("outbox-kafka-close").start(() -> producer.close(Duration.ZERO));
        while (closing.isAlive() && !isStopped(producer)) {
            LockSupport.parkNanos(CHECK_AGAIN.toNanos());
        }
    }

    // A producer answers no other question without waiting. A producer without transactions always refuses to begin
    // one, and once it is closed, it reports that first.
    private static boolean isStopped(Producer<?, ?> producer) {
        try {
            producer.beginTransaction();
            return false;
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage()).contains("closed");
        }
    }
}
