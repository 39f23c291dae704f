package catbox.chaos;

import catbox.chaos.KeyedTransactions.Transaction;
import catbox.chaos.KeyedTransactions.WriteFailedException;
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

/**
 * A business thread. A transaction locks its key, increases the counter and stores events with those numbers. Events of
 * a key are therefore committed one after another, whichever process writes them. Some transactions write several
 * events or two keys, some roll back, and some stay open long after they have stored their first event.
 */
final class Writer implements Callable<Void> {

    private static final int OPEN_SECONDS = 5;
    private static final int FAILURE_PAUSE_MILLIS = 100;
    private static final int EVENTS_MAX = 4;

    /** The behaviour of a thread. */
    enum Manner {
        /** Takes another key when its key is locked. */
        QUICK,
        /** Waits for its key if the database can, and so stores its event right after another process has committed. */
        PATIENT,
        /** Keeps the transaction and its key for a long time. */
        SLOW
    }

    /** Shared by the threads of a process; {@code stopped} ends them. */
    record SharedState(KeyedTransactions transactions, WriterLog log, CountDownLatch stopped, int pauseMillis) {}

    private final SharedState around;
    private final Manner manner;
    private final List<String> ownKeys;
    private final Random random;
    private final List<String> sharedKeys = WriterMain.sharedKeys();

    Writer(SharedState around, Manner manner, List<String> ownKeys, Random random) {
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
            } catch (WriteFailedException e) {
                pause = FAILURE_PAUSE_MILLIS; // The database is being restarted.
            }
            over = around.stopped().await(pause, TimeUnit.MILLISECONDS);
        }
        return null;
    }

    private void transaction() throws WriteFailedException, InterruptedException {
        List<String> eventIds = new ArrayList<>();
        WriterLog.Fate fate = WriterLog.Fate.ROLLED_BACK;
        try (Transaction tx = around.transactions().begin()) {
            boolean stored = write(tx, eventIds);
            if (stored && random.nextInt(100) >= 6) {
                fate = WriterLog.Fate.UNKNOWN;
                tx.commit();
                fate = WriterLog.Fate.COMMITTED;
            } // Otherwise it is rolled back.
        } finally {
            around.log().write(fate, eventIds);
        }
    }

    private boolean write(Transaction tx, List<String> eventIds) throws WriteFailedException, InterruptedException {
        NavigableSet<String> keys = keys(); // Sorted, so that two transactions never wait for each other.
        for (String key : keys) {
            int count = random.nextInt(100) < 15 ? 2 + random.nextInt(EVENTS_MAX - 1) : 1;
            if (!store(tx, key, count, eventIds)) {
                return false;
            }
        }
        if (manner == Manner.SLOW) {
            boolean stopped = around.stopped().await(OPEN_SECONDS, TimeUnit.SECONDS);
            if (!stopped && random.nextInt(100) < 30) {
                return store(tx, keys.first(), 1, eventIds);
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

    private boolean store(Transaction tx, String key, int count, List<String> eventIds) throws WriteFailedException {
        OptionalLong last = tx.take(key, manner != Manner.QUICK);
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
        tx.publish(key, events, last.getAsLong() + count);
        return true;
    }

    private String any(List<String> keys) {
        return keys.get(random.nextInt(keys.size()));
    }
}
