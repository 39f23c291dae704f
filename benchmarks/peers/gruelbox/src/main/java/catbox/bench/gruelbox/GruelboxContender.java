package catbox.bench.gruelbox;

import catbox.bench.contender.Business;
import catbox.bench.contender.Contender;
import catbox.bench.contender.Event;
import catbox.bench.contender.EventPlan;
import catbox.bench.contender.Host;
import catbox.bench.contender.KafkaSender;
import catbox.bench.contender.Libraries;
import catbox.bench.contender.LongRunning;
import catbox.bench.contender.Place;
import catbox.bench.contender.Progress;
import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.gruelbox.transactionoutbox.TransactionOutboxEntry;
import com.gruelbox.transactionoutbox.TransactionOutboxListener;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stores every event as a call, and makes the call after the commit in a separate transaction; {@code flush} makes the
 * calls that were missed. It keeps no order.
 */
public final class GruelboxContender implements Contender {

    private static final int THREADS = 16;
    private static final int FLUSH_BATCH = 4_096;
    private static final int APPEND_BATCH = 1_000;
    private static final Duration ATTEMPT_FREQUENCY = Duration.ofMinutes(2);

    private final HikariDataSource dataSource;
    private final KafkaSender sender;
    private final ThreadLocalContextTransactionManager transactions;
    private final TransactionOutbox outbox;
    // Written by the thread that runs the benchmark's commands, read by those that call and submit.
    private volatile @Nullable Progress progress;
    private volatile @Nullable ExecutorService pool;
    private @Nullable LongRunning flushing;

    private GruelboxContender(Place place) throws SQLException {
        this.dataSource = Business.dataSource(place);
        this.sender = new KafkaSender(place, 0);
        this.transactions = TransactionManager.fromDataSource(dataSource);
        this.outbox = TransactionOutbox.builder()
                .transactionManager(transactions)
                .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
                .instantiator(Instantiator.using(type -> (Delivering) this::deliver))
                .submitter((entry, work) -> {
                    ExecutorService open = pool;
                    if (open != null) { // Otherwise it is only stored, and waits for a flush.
                        open.execute(() -> work.accept(entry));
                    }
                })
                .attemptFrequency(ATTEMPT_FREQUENCY)
                .flushBatchSize(FLUSH_BATCH)
                .listener(new TransactionOutboxListener() {
                    @Override
                    public void success(TransactionOutboxEntry entry) {
                        Objects.requireNonNull(progress).settled(1);
                    }
                })
                .build();
    }

    public static void main(String[] args) {
        Host.run(args, GruelboxContender::new);
    }

    /** The target of stored calls. It is an interface, because the library creates proxies of it. */
    public interface Delivering {
        void send(String key, String payload);
    }

    private void deliver(String key, String payload) {
        Objects.requireNonNull(progress).began();
        sender.sendAndWait(key, payload);
    }

    @Override
    public String settings() {
        return Libraries.jarOf(TransactionOutbox.class) + " (older than the newest); " + THREADS + " threads, flush of "
                + FLUSH_BATCH + " again and again, waiting sends with linger 0, no order";
    }

    @Override
    public void clear() throws SQLException {
        Business.execute(dataSource, "TRUNCATE txno_outbox, orders");
    }

    @Override
    public void append(EventPlan plan) throws SQLException {
        for (int begin = 0; begin < plan.events(); begin += APPEND_BATCH) {
            int first = begin;
            transactions.inTransaction(() -> {
                for (int i = first; i < Math.min(plan.events(), first + APPEND_BATCH); i++) {
                    schedule(plan.at(i));
                }
            });
        }
        // A flush takes calls that are late. Nothing else makes these calls, so all of them are made late at once.
        Business.execute(dataSource, "UPDATE txno_outbox SET nextAttemptTime = now() - interval '1 day'");
    }

    private void schedule(Event event) {
        outbox.schedule(Delivering.class).send(event.key(), event.payload());
    }

    @Override
    public void start(Progress current) {
        progress = current;
        // The submitting thread runs calls that do not fit, like the documentation's default executor.
        pool = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(FLUSH_BATCH * 2),
                new ThreadPoolExecutor.CallerRunsPolicy());
        flushing = new LongRunning("flush", () -> {
            if (!outbox.flush()) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        });
    }

    @Override
    public void stop() throws InterruptedException {
        Objects.requireNonNull(flushing, "not started").close();
        ExecutorService closing = Objects.requireNonNull(pool);
        pool = null;
        closing.shutdown();
        closing.awaitTermination(1, TimeUnit.MINUTES);
    }

    @Override
    public void business(long number) {
        transactions.inTransactionThrows(transaction -> insertOrder(transaction.connection(), number));
    }

    @Override
    public void publish(Event event) {
        transactions.inTransactionThrows(transaction -> {
            insertOrder(transaction.connection(), event.number());
            schedule(event);
        });
    }

    private static void insertOrder(Connection conn, long number) {
        try {
            Business.insertOrder(conn, number);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        sender.close();
        dataSource.close();
    }
}
