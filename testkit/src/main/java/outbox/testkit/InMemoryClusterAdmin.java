package outbox.testkit;

import java.util.List;
import outbox.LayoutMismatchException;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Pause;

/** What an operator does to relays, in memory. */
final class InMemoryClusterAdmin implements ClusterAdmin {

    private final Table table;
    private final Registry registry;

    InMemoryClusterAdmin(Table table, Registry registry) {
        this.table = table;
        this.registry = registry;
    }

    @Override
    public boolean pause(Pause.Subject subject, String reason, String by) {
        return table.atomically(() -> registry.ownership(subject, reason, by));
    }

    @Override
    public boolean resume(Pause.Subject subject, String by) {
        return table.atomically(() -> registry.resume(subject, by));
    }

    @Override
    public List<Pause> pauses() {
        return table.atomically(registry::holds);
    }

    @Override
    public void changePartitions(int partitions, String by) {
        int legal = new ClusterLayout(ClaimStrategy.PARTITIONED, partitions).partitions();
        table.change(() -> {
            // To ask for the number there is takes back a change that has not been finished.
            registry.setPartitionsWanted(legal == registry.partitions() ? null : legal);
            registry.note(by, "change partitions", "outbox", registry.partitions() + " to " + legal);
        });
    }

    @Override
    public void changeStrategy(ClaimStrategy strategy, String by) {
        table.change(() -> {
            ClaimStrategy before = registry.relayStrategy();
            boolean canFollow = before != null && before.usesPartitions() == strategy.usesPartitions();
            if (!canFollow && registry.isAnyAlive()) {
                throw new LayoutMismatchException("relays run with claim strategy " + registry.strategy()
                        + " and cannot change to " + strategy.label() + " while they do. Stop them first.");
            }
            String agreed = registry.strategy();
            registry.setStrategy(strategy);
            registry.note(by, "change strategy", "outbox", agreed + " to " + strategy.label());
        });
    }
}
