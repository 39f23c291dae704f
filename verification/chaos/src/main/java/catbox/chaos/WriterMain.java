package catbox.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs an application in a separate process that commits events until the parent asks it to close. It either wakes the
 * relays or leaves its events to their polls.
 */
final class WriterMain {

    static final int SHARED_KEYS = 40;
    static final int SLOW_THREADS = 2;

    private static final int QUICK_THREADS = 2;
    private static final int CONNECTIONS = SLOW_THREADS + QUICK_THREADS + 1 + 2;

    private WriterMain() {}

    /** Returns the keys that every writer writes to. */
    static List<String> sharedKeys() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < SHARED_KEYS; i++) {
            keys.add("shared-" + i);
        }
        return keys;
    }

    /** Returns the keys that only this writer writes to. */
    static List<String> ownKeys(String writer) {
        return List.of(writer + "-a", writer + "-b");
    }

    public static void main(String[] args) throws Exception {
        String name = args[0];
        boolean wakes = Boolean.parseBoolean(args[2]);
        int pauseMillis = Integer.parseInt(args[3]);
        Random seeds = new Random(Long.parseLong(args[4]));
        try (Database database = Database.open(args[1], CONNECTIONS);
                WriterLog log = new WriterLog(Path.of(args[5]));
                ExecutorService threads = Executors.newCachedThreadPool()) {
            Writer.SharedState around =
                    new Writer.SharedState(database.transactions(wakes), log, new CountDownLatch(1), pauseMillis);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < SLOW_THREADS + QUICK_THREADS + 1; i++) {
                Writer.Manner manner = i < SLOW_THREADS
                        ? Writer.Manner.SLOW
                        : i < SLOW_THREADS + QUICK_THREADS ? Writer.Manner.QUICK : Writer.Manner.PATIENT;
                running.add(threads.submit(new Writer(around, manner, ownKeys(name), new Random(seeds.nextLong()))));
            }
            Child.say("running");
            Child.awaitClose();
            around.stopped().countDown();
            for (Future<?> one : running) {
                one.get();
            }
        }
        Child.say("closed");
        System.exit(0); // The wake-up sender's thread may still be sleeping.
    }
}
