package catbox.bench.contender;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** How far a relay has come. All threads of a contender write it, and the host reads it. */
public final class Progress {

    private final AtomicLong beganMicros = new AtomicLong();
    private final CountDownLatch hasBegun = new CountDownLatch(1);
    private final AtomicLong settled = new AtomicLong();
    private final AtomicLong settledMicros = new AtomicLong();

    /** The relay has something to do; only the first call counts. */
    public void began() {
        if (beganMicros.get() == 0 && beganMicros.compareAndSet(0, nowMicros())) {
            hasBegun.countDown();
        }
    }

    /** Returns as soon as the relay has something to do, with the time of that. */
    long awaitBegin() throws InterruptedException {
        hasBegun.await();
        return beganMicros.get();
    }

    /** So many more events are with Kafka, and the relay will not send them again. */
    public void settled(long events) {
        settledMicros.set(nowMicros());
        settled.addAndGet(events);
    }

    long settledCount() {
        return settled.get();
    }

    long settledAtMicros() {
        return settledMicros.get();
    }

    /** The time of the machine: unlike that of {@link System#nanoTime} it means the same in all processes. */
    public static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
