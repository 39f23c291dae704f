package outbox.mongodb.internal.relay;

import java.util.List;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.event.Buckets;
import outbox.mongodb.internal.operations.AuditDocuments;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Pause;
import outbox.spi.relay.StoredLayout;

/** What an operator does to the relays of a collection. Everything that changes something is written to the audit. */
public final class MongoClusterAdmin implements ClusterAdmin {

    private final MongoSource source;

    public MongoClusterAdmin(MongoSource source) {
        this.source = source;
    }

    @Override
    public boolean pause(Pause.Subject subject, String reason, String by) {
        return source.transact("put on hold", (session, collections) -> {
            boolean added = new PauseDocuments(session, collections).add(subject, reason, by);
            if (added) {
                new AuditDocuments(session, collections).add(by, "hold", subject.describe(), reason);
            }
            return added;
        });
    }

    @Override
    public boolean resume(Pause.Subject subject, String by) {
        return source.transact("end a hold", (session, collections) -> {
            boolean removed = new PauseDocuments(session, collections).remove(subject);
            if (removed) {
                new AuditDocuments(session, collections).add(by, "resume", subject.describe(), null);
            }
            return removed;
        });
    }

    @Override
    public List<Pause> pauses() {
        return source.use("read what is on hold", PauseDocuments::all);
    }

    /**
     * Needs no index of its own: see {@link Buckets} for which numbers are read fastest. The nodes that run finish the
     * change, or else the first one that joins with the new number. The number there is takes back what was asked for.
     */
    @Override
    public void changePartitions(int partitions, String by) {
        ClusterLayout wanted = new ClusterLayout(ClaimStrategy.PARTITIONED, partitions); // Checks the number.
        source.transact("change partitions", (session, collections) -> {
            MetaDocument meta = new MetaDocument(session, collections);
            StoredLayout now = meta.lock().agreed();
            boolean isThere = now.partitions() == wanted.partitions();
            if (isThere && now.partitionsWanted() == null) {
                return now;
            }
            meta.setWanted(isThere ? null : partitions);
            new AuditDocuments(session, collections)
                    .add(by, "change partitions", source.names().event(), now.partitions() + " to " + partitions);
            return now;
        });
    }

    @Override
    public void changeStrategy(ClaimStrategy strategy, String by) {
        source.transact("change the strategy", (session, collections) -> {
            MetaDocument meta = new MetaDocument(session, collections);
            StoredLayout now = meta.lock().agreed();
            if (strategy.label().equals(now.strategy())) {
                return strategy;
            }
            now.requireChangeTo(
                    strategy, "collection " + source.names().event(), new NodeDocuments(session, collections).alive());
            meta.setStrategy(strategy.label());
            new AuditDocuments(session, collections)
                    .add(by, "change strategy", source.names().event(), now.strategy() + " to " + strategy.label());
            return strategy;
        });
    }
}
