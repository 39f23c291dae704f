package catbox.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.testkit.SimulatedStore;
import outbox.testkit.StoreFixture.Session;

/** Business transactions: most are short, some stay open for seconds, some roll back. */
final class Writers {

    static final int KEYS = 8;

    /** Of the memory of one of six partitions a tenth, and more than all of it. */
    private static final List<String> PAYLOADS =
            List.of("\"" + "x".repeat(17_000) + '"', "\"" + "x".repeat(180_000) + '"');

    private final World world;
    private final SimulatedStore store;
    private final Ledger ledger;
    private final Patience patience;
    private final Routes routes;
    private final boolean isTight;
    private final Consumer<String> committed;
    private final Set<String> lockedRows = new HashSet<>();
    private final Set<Transaction> open = new HashSet<>();
    private int events;

    /** @param committed told the lane of an event that was committed, as an application wakes relays */
    Writers(SimulatedNode.Shared shared, Consumer<String> committed) {
        this.world = shared.world();
        this.store = shared.store();
        this.ledger = shared.ledger();
        this.patience = shared.patience();
        this.routes = shared.scenario().routes();
        this.isTight = shared.scenario().isTight();
        this.committed = committed;
    }

    static String key(int number) {
        return "key-" + number;
    }

    void writeUntil(Duration end, int eventsMax) {
        Duration pause = world.millis(1, Math.max(2, 2 * end.toMillis() / eventsMax));
        world.in(pause, null, () -> {
            if (world.elapsed().compareTo(end) < 0 && events < eventsMax) {
                begin();
                writeUntil(end, eventsMax);
            }
        });
    }

    private void begin() {
        int number = world.random.nextInt(KEYS + 1);
        String key = number == KEYS ? null : key(number);
        // Half of the keys belong to a row that its writers lock, so that their transactions follow each other.
        String row = key != null && number % 2 == 0 ? key : null;
        if (row != null && !lockedRows.add(row)) {
            return;
        }
        Transaction transaction = new Transaction(key, row);
        open.add(transaction);
        transaction.write(world.random.nextInt(1, 4));
        world.in(openFor(), null, transaction::end);
    }

    private Duration openFor() {
        double lot = world.random.nextDouble();
        return lot < 0.8 ? world.millis(0, 20) : lot < 0.95 ? world.millis(0, 500) : world.millis(0, 6_000);
    }

    private String payload() {
        return isTight && world.chance(0.15) ? world.anyOf(PAYLOADS) : "{}";
    }

    boolean areAllClosed() {
        return open.isEmpty();
    }

    private final class Transaction {
        private final Session session = store.newSession();
        private final @Nullable String key;
        private final @Nullable String row;
        private final List<String> ids = new ArrayList<>();

        Transaction(@Nullable String key, @Nullable String row) {
            this.key = key;
            this.row = row;
            session.begin();
        }

        void write(int count) {
            for (int i = 0; i < count; i++) {
                String id = "e" + ++events;
                boolean delayed = world.chance(0.05);
                String type = world.anyOf(routes.types());
                EventEnvelope.Builder event = EventEnvelope.builder(type)
                        .eventId(id)
                        .payloadJson(payload())
                        .orderingKey(key);
                if (delayed) {
                    event.availableAt(world.storeClock().instant().plus(world.millis(0, 5_000)));
                }
                ledger.inserted(id, key, delayed, routes.destinationsOf(type));
                session.store().store(List.of(event.build()), null);
                ids.add(id);
            }
        }

        void end() {
            open.remove(this);
            if (row != null) {
                lockedRows.remove(row);
            }
            if (world.chance(0.1)) {
                session.rollback();
                ids.forEach(ledger::rolledBack);
                return;
            }
            session.commit();
            for (String id : ids) {
                patience.committed(ledger.committed(id));
                committed.accept(key == null ? id : key);
            }
        }
    }
}
