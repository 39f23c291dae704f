package catbox.verification;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.ThreadLocalTxContext;

/**
 * Business code that writes events to a few keys from several threads at once. Every other transaction stores its
 * event and then works on for a while, so that later events of the same key are committed before it.
 */
final class KeyWriter {

    private static final int WRITERS = 4;
    private static final int KEYS = 3;
    private static final int EVENTS_EACH = 60;

    /** When an event's INSERT began and when its commit was known, on the clock of the writing process. */
    record Written(String eventId, String key, long insertBegan, long commitKnown) {}

    private final JdbcTransactionManager transactions;
    private final OutboxClient outbox;
    private final CyclicBarrier together = new CyclicBarrier(WRITERS);

    private KeyWriter(DataSource dataSource) {
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        this.transactions = new JdbcTransactionManager(new DataSourceConnectionProvider(dataSource), context);
        this.outbox = OutboxClient.storeOnly(new JdbcOutboxRepository().publisher(context));
    }

    static List<Written> writeConcurrently(DataSource dataSource) throws Exception {
        KeyWriter writer = new KeyWriter(dataSource);
        Queue<Written> written = new ConcurrentLinkedQueue<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<?>> running = new ArrayList<>();
            for (int number = 0; number < WRITERS; number++) {
                int me = number;
                running.add(threads.submit(() -> {
                    writer.write(me, written);
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
        return List.copyOf(written);
    }

    private void write(int me, Queue<Written> written) throws Exception {
        together.await();
        for (int i = 0; i < EVENTS_EACH; i++) {
            String key = "key-" + (i + me) % KEYS;
            EventEnvelope event = EventEnvelope.builder(i % 5 == 0 ? "FailOnce" : "Plain")
                    .orderingKey(key)
                    .payloadJson("{}")
                    .build();
            boolean late = (i + me) % 2 == 0;
            long insertBegan = System.nanoTime();
            transactions.run(conn -> {
                outbox.publish(event);
                if (late) {
                    work(conn);
                }
            });
            written.add(new Written(event.eventId(), key, insertBegan, System.nanoTime()));
        }
    }

    /** The rest of a long business transaction: the database is busy for it, so nothing here needs to sleep. */
    private static void work(Connection conn) throws SQLException {
        try (PreparedStatement statement = conn.prepareStatement("SELECT pg_sleep(0.03)")) {
            statement.execute();
        }
    }
}
