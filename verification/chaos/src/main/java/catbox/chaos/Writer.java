package catbox.chaos;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.OutboxException;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.JdbcTransactionManager.Transaction;

/**
 * One business thread. A transaction locks the row of its key, counts it up and stores events with those numbers, so
 * that events of a key are committed one after the other whichever process writes them. Some transactions write
 * several events or two keys, some roll back, and some stay open for long after they have stored their first event.
 */
final class Writer implements Callable<Void> {

    private static final int OPEN_SECONDS = 5;
    private static final int FAILURE_PAUSE_MILLIS = 100;
    private static final int EVENTS_MAX = 4;

    /** How a thread goes about it. */
    enum Manner {
        /** Takes another key when its key's row is locked. */
        QUICK,
        /** Waits for the row, and so stores its event right after another process has committed. */
        PATIENT,
        /** Keeps the transaction, and the row's lock, open for long. */
        SLOW
    }

    /** What the threads of a process share; stopped tells them to end. */
    record Surroundings(
            JdbcTransactionManager transactions,
            OutboxClient outbox,
            WriterLog log,
            CountDownLatch stopped,
            int pauseMillis) {}

    private final Surroundings around;
    private final Manner manner;
    private final List<String> ownKeys;
    private final Random random;
    private final List<String> sharedKeys = WriterMain.sharedKeys();

    Writer(Surroundings around, Manner manner, List<String> ownKeys, Random random) {
        this.around = around;
        this.manner = manner;
        this.ownKeys = ownKeys;
        this.random = random;
    }

    @Override
    public Void call() throws InterruptedException {
        boolean over = false;
        while (!over) {
            int pause = 1 + random.nextInt(2 * around.pauseMillis());
            try {
                transaction();
            } catch (SQLException | OutboxException e) {
                pause = FAILURE_PAUSE_MILLIS; // The database is being restarted.
            }
            over = around.stopped().await(pause, TimeUnit.MILLISECONDS);
        }
        return null;
    }

    private void transaction() throws SQLException, InterruptedException {
        List<String> eventIds = new ArrayList<>();
        WriterLog.Fate fate = WriterLog.Fate.ROLLED_BACK;
        try (Transaction tx = around.transactions().begin()) {
            boolean stored = write(tx.connection(), eventIds);
            if (stored && random.nextInt(100) >= 6) {
                fate = WriterLog.Fate.UNKNOWN;
                tx.commit();
                fate = WriterLog.Fate.COMMITTED;
            } else {
                tx.rollback();
            }
        } finally {
            around.log().write(fate, eventIds);
        }
    }

    private boolean write(Connection conn, List<String> eventIds) throws SQLException, InterruptedException {
        NavigableSet<String> keys = keys(); // In order, so that two transactions never wait for each other.
        for (String key : keys) {
            int count = random.nextInt(100) < 15 ? 2 + random.nextInt(EVENTS_MAX - 1) : 1;
            if (!store(conn, key, count, eventIds)) {
                return false;
            }
        }
        if (manner == Manner.SLOW) {
            boolean stopped = around.stopped().await(OPEN_SECONDS, TimeUnit.SECONDS);
            if (!stopped && random.nextInt(100) < 30) {
                return store(conn, keys.first(), 1, eventIds);
            }
        }
        return true;
    }

    private NavigableSet<String> keys() {
        NavigableSet<String> keys = new TreeSet<>();
        boolean own = random.nextInt(100) < (manner == Manner.SLOW ? 40 : 5);
        keys.add(own ? any(ownKeys) : any(sharedKeys));
        if (manner == Manner.QUICK && random.nextInt(100) < 10) {
            keys.add(any(sharedKeys));
        }
        return keys;
    }

    private boolean store(Connection conn, String key, int count, List<String> eventIds) throws SQLException {
        OptionalLong last = lock(conn, key);
        if (last.isEmpty()) {
            return false;
        }
        List<EventEnvelope> events = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            events.add(EventEnvelope.builder("Numbered")
                    .orderingKey(key)
                    .payloadJson(new Numbered(key, last.getAsLong() + i).toPayload())
                    .build());
        }
        events.forEach(event -> eventIds.add(event.eventId()));
        around.outbox().publishAll(events);
        try (PreparedStatement update = conn.prepareStatement("UPDATE chaos_key SET number = ? WHERE key = ?")) {
            update.setLong(1, last.getAsLong() + count);
            update.setString(2, key);
            update.executeUpdate();
        }
        return true;
    }

    /** The number of the key's last event; empty when somebody else has the row. */
    private OptionalLong lock(Connection conn, String key) throws SQLException {
        String select = "SELECT number FROM chaos_key WHERE key = ? FOR UPDATE"
                + (manner == Manner.QUICK ? " SKIP LOCKED" : "");
        try (PreparedStatement statement = conn.prepareStatement(select)) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    private String any(List<String> keys) {
        return keys.get(random.nextInt(keys.size()));
    }
}
