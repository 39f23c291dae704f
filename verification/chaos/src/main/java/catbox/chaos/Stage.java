package catbox.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import outbox.EventEnvelope;
import outbox.internal.KeyHash;
import outbox.spi.relay.ClaimStrategy;

/**
 * A separate PostgreSQL with relays in separate processes, with the default heartbeat and six partitions, and a writer
 * in this process.
 */
final class Stage implements AutoCloseable {

    static final int PARTITIONS = 6;

    private static final Duration HEARTBEAT = Duration.ofSeconds(1);
    private static final int CONNECTIONS = 3;

    private final Path folder;
    private final Path journal;
    private final Duration nodeTimeout;
    private final Server server;
    private final Database database;
    private final List<Child> all = new ArrayList<>(); // used by the thread that starts them
    private final Map<String, Long> committed = new ConcurrentHashMap<>();
    private final CountDownLatch stopWriting = new CountDownLatch(1);

    /**
     * Opens a stage without relays.
     *
     * @param folder for the logs and the journal
     * @param nodeTimeout time without a heartbeat after which a relay counts as dead
     */
    Stage(Path folder, Duration nodeTimeout) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.journal = folder.resolve("journal.txt");
        this.nodeTimeout = nodeTimeout;
        this.server = Server.Kind.POSTGRES.start();
        this.database = Database.open(server.address(), CONNECTIONS);
        database.install(WriterMain.sharedKeys());
    }

    Child startRelay() throws IOException {
        int number = all.size() + 1;
        Child relay = Child.start(
                folder,
                RelayMain.class,
                "relay-" + number,
                List.of(
                        server.address(),
                        ClaimStrategy.PARTITIONED.name(),
                        Integer.toString(PARTITIONS),
                        Long.toString(HEARTBEAT.toMillis()),
                        Long.toString(nodeTimeout.toMillis()),
                        Integer.toString(number),
                        journal.toString()));
        all.add(relay);
        return relay;
    }

    /** Returns whether these relays own all partitions, and each of them owns some. */
    static boolean haveShared(List<Child> relays) {
        return relays.stream().mapToInt(relay -> relay.owned().size()).sum() == PARTITIONS
                && relays.stream().noneMatch(relay -> relay.owned().isEmpty());
    }

    /** Writes events of one key after another until it is stopped. */
    Thread write(Duration pause) {
        return Thread.ofVirtual().start(() -> {
            KeyedTransactions transactions = database.transactions(true);
            List<String> keys = WriterMain.sharedKeys();
            try {
                for (long number = 1; !stopWriting.await(pause.toNanos(), TimeUnit.NANOSECONDS); number++) {
                    String key = keys.get((int) (number % keys.size()));
                    try (KeyedTransactions.Transaction tx = transactions.begin()) {
                        EventEnvelope event = EventEnvelope.builder("Numbered")
                                .orderingKey(key)
                                .payloadJson(new Numbered(key, number).toPayload())
                                .build();
                        tx.publish(key, List.of(event), number);
                        tx.commit();
                        committed.put(event.eventId(), Clock.micros());
                    }
                }
            } catch (InterruptedException | KeyedTransactions.WriteFailedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Stops writing, and waits until everything is delivered. */
    void finish(Thread writing) throws InterruptedException {
        stopWriting.countDown();
        writing.join();
        Wait.until("everything is delivered", Child.WAIT_MAX, database::isDrained);
    }

    /** Returns the commit time of each event, by its id. */
    Map<String, Long> committed() {
        return Map.copyOf(committed);
    }

    /** Returns the relays' entries so far. */
    List<Entry> entries() {
        try {
            return Journal.read(journal);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static int partitionOf(Entry.Arrived arrived) {
        return KeyHash.of(arrived.key()) % PARTITIONS;
    }

    /** Returns the partitions of which events have arrived since then. */
    Set<Integer> deliveredSince(long micros) {
        return entries().stream()
                .filter(Entry.Arrived.class::isInstance)
                .map(Entry.Arrived.class::cast)
                .filter(arrived -> arrived.at() > micros)
                .map(Stage::partitionOf)
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        stopWriting.countDown();
        all.forEach(Child::close);
        database.close();
        server.close();
    }
}
