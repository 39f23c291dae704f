package catbox.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.EventEnvelope;
import outbox.internal.KeyHash;
import outbox.spi.relay.ClaimStrategy;

/**
 * Relays with default settings, of which one is killed every five seconds and started again: deliveries of every partition
 * continue, because others take over long before the time-out.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class KillLoopIT {

    private static final int KILLS = 6;
    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(5);
    private static final int WRITE_MILLIS = 50;

    private static final int PARTITIONS = 6;

    private static final Duration TAKEOVER_MAX = Duration.ofSeconds(3);

    /** A partition waits for its takeover, for its next event, and for the move to the node that comes back. */
    private static final Duration SILENCE_MAX = TAKEOVER_MAX.plusSeconds(1);

    private final Path folder = Path.of("target", "chaos-runs", "kill-loop-" + System.nanoTime());
    private final Path journal = folder.resolve("journal.txt");
    private final CountDownLatch pause = new CountDownLatch(1);
    private int started;

    /** With a start of 12 s three nodes of five are away at a time. */
    @ParameterizedTest
    @CsvSource({"3, 0", "5, 12"})
    void deliveriesContinueWhileNodesAreKilledOneAfterTheOther(int nodes, int secondsAway) throws Exception {
        Files.createDirectories(folder);
        List<Child> relays = new ArrayList<>();
        List<Kill> kills = new ArrayList<>();
        try (Server server = Server.Kind.POSTGRES.start();
                Database database = Database.open(server.address(), 3)) {
            database.install(WriterMain.sharedKeys());
            for (int n = 0; n < nodes; n++) {
                relays.add(start(server));
            }
            for (Child relay : relays) {
                relay.awaitRunning();
            }
            Patience.until(
                    "each has its slots",
                    Child.PATIENCE,
                    () -> relays.stream()
                                            .mapToInt(relay -> relay.slots().size())
                                            .sum()
                                    == PARTITIONS
                            && relays.stream().noneMatch(relay -> relay.slots().isEmpty()));
            CountDownLatch written = new CountDownLatch(1);
            Thread writing = Thread.ofVirtual().start(() -> write(database, written));
            long begun = Clock.micros();
            Queue<Long> returns = new ArrayDeque<>();
            for (int n = 0; n < KILLS; n++) {
                Child victim = relays.removeFirst(); // The one that has run for longest.
                kills.add(new Kill(Clock.micros(), victim.name(), victim.slots()));
                victim.kill();
                returns.add(Clock.micros() + TimeUnit.SECONDS.toMicros(secondsAway));
                long next = Clock.micros() + TimeUnit.NANOSECONDS.toMicros(BETWEEN_KILLS.toNanos());
                while (!returns.isEmpty() && returns.element() <= next) {
                    pauseUntil(returns.remove());
                    relays.add(start(server));
                }
                pauseUntil(next);
            }
            long ended = Clock.micros();
            written.countDown();
            writing.join();
            Patience.until("everything is delivered", Child.PATIENCE, database::isDrained);

            List<Entry> entries = Journal.read(journal);
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertThat(longestSilence(partition, entries, begun, ended))
                        .as("time without a delivery in partition %d", partition)
                        .isLessThan(SILENCE_MAX);
            }
            assertThat(kills)
                    .allSatisfy(kill -> assertThat(kill.takenOver(entries))
                            .as("takeover of %s from %s", kill.slots(), kill.node())
                            .isLessThan(TAKEOVER_MAX));
        } finally {
            relays.forEach(Child::close);
        }
    }

    /** A relay that was killed, and the slots that it had. */
    private record Kill(long at, String node, Set<Integer> slots) {

        Duration takenOver(List<Entry> entries) {
            long last = at;
            for (int slot : slots) {
                last = Math.max(
                        last,
                        entries.stream()
                                .filter(Entry.Acquired.class::isInstance)
                                .map(Entry.Acquired.class::cast)
                                .filter(entry -> entry.slot() == slot && entry.at() >= at)
                                .mapToLong(Entry::at)
                                .min()
                                .orElse(Long.MAX_VALUE));
            }
            Duration taken = Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(last - at));
            System.out.println("took over " + slots + " from " + node + " after " + taken);
            return taken;
        }
    }

    private void pauseUntil(long micros) throws InterruptedException {
        pause.await(micros - Clock.micros(), TimeUnit.MICROSECONDS);
    }

    private Child start(Server server) throws IOException {
        return Child.start(
                folder,
                RelayMain.class,
                "relay-" + ++started,
                List.of(
                        server.address(),
                        ClaimStrategy.PARTITIONED.name(),
                        Integer.toString(PARTITIONS),
                        "1000",
                        "10000",
                        Long.toString(started),
                        journal.toString()));
    }

    // Each event of a key of its own, so that the slots get their share and nothing waits for anything else.
    private void write(Database database, CountDownLatch stop) {
        KeyedTransactions transactions = database.transactions(true);
        List<String> keys = WriterMain.sharedKeys();
        long number = 0;
        try {
            while (!stop.await(WRITE_MILLIS, TimeUnit.MILLISECONDS)) {
                number++;
                String key = keys.get((int) (number % keys.size()));
                try (KeyedTransactions.Transaction tx = transactions.begin()) {
                    EventEnvelope event = EventEnvelope.builder("Numbered")
                            .orderingKey(key)
                            .payloadJson(new Numbered(key, number).toPayload())
                            .build();
                    tx.publish(key, List.of(event), number);
                    tx.commit();
                }
            }
        } catch (InterruptedException | KeyedTransactions.WriteFailedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Duration longestSilence(int partition, List<Entry> entries, long begun, long ended) {
        List<Long> arrivals = new ArrayList<>(List.of(begun, ended));
        entries.stream()
                .filter(Entry.Arrived.class::isInstance)
                .map(Entry.Arrived.class::cast)
                .filter(entry -> KeyHash.of(entry.key()) % PARTITIONS == partition)
                .filter(entry -> entry.at() > begun && entry.at() < ended)
                .forEach(entry -> arrivals.add(entry.at()));
        Collections.sort(arrivals);
        long longest = 0;
        for (int n = 1; n < arrivals.size(); n++) {
            longest = Math.max(longest, arrivals.get(n) - arrivals.get(n - 1));
        }
        System.out.println("longest time without a delivery in partition " + partition + ": " + longest / 1_000
                + " ms, of " + arrivals.size());
        return Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(longest));
    }
}
