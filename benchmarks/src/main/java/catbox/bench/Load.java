package catbox.bench;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Runs a transaction from several threads for a while and counts its commits. */
record Load(int threads, Duration duration) {

    private static final AtomicLong NUMBER = new AtomicLong();

    /** Returns the microseconds of one transaction, as a thread measures them. */
    double microsPerTransaction(BusinessTransaction transaction) throws InterruptedException {
        long end = System.nanoTime() + duration.toNanos();
        long began = System.nanoTime();
        AtomicLong count = new AtomicLong();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(() -> repeat(transaction, end, count)));
            }
            for (Future<?> one : running) {
                await(one);
            }
        }
        return (System.nanoTime() - began) / 1_000.0 * threads / count.get();
    }

    private static Long repeat(BusinessTransaction transaction, long end, AtomicLong count) throws SQLException {
        while (System.nanoTime() < end) {
            transaction.run(NUMBER.incrementAndGet());
            count.incrementAndGet();
        }
        return count.get();
    }

    private static void await(Future<?> one) throws InterruptedException {
        try {
            one.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a transaction failed", e.getCause());
        }
    }
}
