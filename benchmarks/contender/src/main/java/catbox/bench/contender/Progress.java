package catbox.bench.contender;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** The progress of a relay. All threads of a contender write it, and the host reads it. */
public final class Progress {

    private final AtomicLong beganMicros = new AtomicLong();
    private final CountDownLatch hasStarted = new CountDownLatch(1);
    private final AtomicLong settled = new AtomicLong();
    private final AtomicLong settledMicros = new AtomicLong();

    /** Records that the relay has work; only the first call counts. */
    public void began() {
        if (beganMicros.get() == 0 && beganMicros.compareAndSet(0, nowMicros())) {
            hasStarted.countDown();
        }
    }

    /** Waits until the relay has work, and returns the time of that. */
    long awaitBegin() throws InterruptedException {
        hasStarted.await();
        return beganMicros.get();
    }

    /** Counts events that Kafka has acknowledged, and that the relay will not send again. */
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

    /** Returns the machine's time. Unlike {@link System#nanoTime} it is comparable between processes. */
    public static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
