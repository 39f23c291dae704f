package outbox.mongodb.internal.relay;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.driver.AnswerTimes;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.CorruptEvents;
import outbox.mongodb.internal.event.SettleSession;
import outbox.mongodb.internal.operations.AuditDocuments;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.mongodb.internal.schema.SchemaCheck;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.Pause;
import outbox.spi.relay.StoredLayout;

/**
 * The registry of relays, in the database that holds their events. Where two changes must not both succeed they write a
 * document that they have in common; what they only read does not make them meet.
 */
public final class MongoClusterStore implements ClusterStore {

    /** Written when a node joins, read by its threads. */
    private volatile MongoSource source;

    public MongoClusterStore(MongoSource source) {
        this.source = source.within(AnswerTimes.ofCommand(AnswerTimes.NODE_TIMEOUT));
    }

    @Override
    public void join(Member member, @Nullable ClusterLayout terms, Duration timeout) {
        source = source.within(AnswerTimes.ofCommand(timeout));
        new SchemaCheck(source).require(EventIndex.neededFor(terms));
        new CorruptEvents(source).setDeadOutsideOfAllSlots();
        source.transact("join as " + member.nodeId(), (session, collections) -> {
            MetaDocument meta = new MetaDocument(session, collections);
            if (terms == null) {
                meta.lock().agreed().requireRelays(place());
            } else {
                agree(session, collections, terms);
            }
            new NodeDocuments(session, collections).add(member, timeout);
            return member;
        });
    }

    /**
     * Checks what {@link #join} does, and changes nothing.
     *
     * @throws outbox.SchemaException when collections or indexes are missing or of another version
     * @throws outbox.LayoutMismatchException when the collection is worked on other terms
     */
    public void check(ClusterLayout terms) {
        new SchemaCheck(source).require(EventIndex.neededFor(terms));
        StoredLayout agreed = source.transact(
                "check the terms",
                (session, collections) ->
                        new MetaDocument(session, collections).read().agreed());
        if (!agreed.isTarget(terms)) {
            agreed.require(place(), terms);
        }
    }

    private void agree(ClientSession session, OutboxCollections collections, ClusterLayout terms) {
        MetaDocument meta = new MetaDocument(session, collections);
        StoredLayout agreed = meta.lock().agreed();
        // Whoever comes with the wanted number finishes the change if it can: there may be nobody else to do it.
        if (agreed.isTarget(terms) && new OwnershipDocuments(session, collections).renumber(meta, terms.partitions())) {
            agreed = meta.read().agreed();
        }
        agreed.require(place(), terms);
        if (agreed.strategy() == null) {
            meta.setStrategy(terms.strategy().label());
        }
    }

    private String place() {
        return "collection " + source.names().event();
    }

    /** Two commands: the beat, which writes the member's document alone, and a look at everything. */
    @Override
    public Optional<ClusterView> heartbeat(Heartbeat heartbeat) {
        MongoSource brisk = source.within(AnswerTimes.ofHeartbeatCommand(heartbeat.timeout()));
        boolean lives = brisk.use(
                                "beat",
                                collections -> collections
                                        .nodes()
                                        .updateOne(
                                                Filters.and(
                                                        Filters.eq(NodeDocuments.ID, heartbeat.session()),
                                                        NodeDocuments.ALIVE),
                                                List.of(new Document("$set", NodeDocuments.beat(heartbeat)))))
                        .getMatchedCount()
                == 1;
        return lives ? new ClusterRead(brisk, heartbeat).execute() : Optional.empty();
    }

    /** Never: see {@link NodeDocuments#state}. */
    @Override
    public boolean isWatched(String session) {
        return false;
    }

    /** Never, for the same reason. */
    @Override
    public boolean endDisconnected(String session, Duration silentFor) {
        return false;
    }

    @Override
    public List<AcquiredPartition> acquire(Set<Integer> slots, String session, ClusterLayout terms) {
        // One transaction each: a settlement that is being written in one slot must not keep the others waiting.
        return slots.stream()
                .sorted()
                .flatMap(slot -> acquire(new Wanted(slot, session, terms)).stream())
                .toList();
    }

    /** Which slot is wanted by whom, and on what terms. */
    private record Wanted(int slot, String member, ClusterLayout terms) {}

    private Optional<AcquiredPartition> acquire(Wanted wanted) {
        return source.tryTransact(
                "acquire slot " + wanted.slot(),
                (transaction, collections) -> acquire(transaction, collections, wanted));
    }

    private Optional<AcquiredPartition> acquire(ClientSession session, OutboxCollections collections, Wanted wanted) {
        StoredLayout agreed = new MetaDocument(session, collections).read().agreed();
        if (!agreed.allowsOwnership(wanted.terms(), wanted.slot())) {
            return Optional.empty();
        }
        OwnershipDocuments slots = new OwnershipDocuments(session, collections);
        NodeDocuments nodes = new NodeDocuments(session, collections);
        OwnershipDocuments.Content slot = slots.read(wanted.slot());
        if (slot == null || !nodes.isAlive(wanted.member())) {
            return Optional.empty();
        }
        if (slot.owner() != null && !nodes.isGone(slot.owner())) {
            return Optional.empty();
        }
        SettleSession.endThatOf(slot, source);
        AcquiredPartition acquired = slots.give(slot, wanted.member());
        new AuditDocuments(session, collections)
                .add(
                        wanted.member(),
                        "acquire",
                        "partition " + wanted.slot(),
                        "epoch " + acquired.ownership().epoch()
                                + (slot.owner() == null ? "" : ", from " + slot.owner()));
        return Optional.of(acquired);
    }

    @Override
    public void outlived(PartitionOwnership hold) {
        source.use("forget the deaths of slot " + hold.partition(), collections -> {
            OwnershipDocuments.forgetDeaths(collections, hold);
            return hold;
        });
    }

    @Override
    public void release(List<PartitionOwnership> holds) {
        if (holds.isEmpty()) {
            return;
        }
        List<UpdateOneModel<Document>> releases = holds.stream()
                .map(hold -> new UpdateOneModel<Document>(OwnershipDocuments.held(hold), OwnershipDocuments.FREED))
                .toList();
        source.use("release slots", collections -> collections.slots().bulkWrite(releases));
    }

    @Override
    public void leave(String session) {
        source.transact("leave", (transaction, collections) -> {
            new OwnershipDocuments(transaction, collections).freeAll(session);
            new NodeDocuments(transaction, collections).remove(session);
            return session;
        });
    }

    @Override
    public List<String> forgetExpired(Duration olderThan) {
        return source.transact(
                "forget expired members",
                (session, collections) -> new NodeDocuments(session, collections).forget(olderThan));
    }

    @Override
    public boolean repartition() {
        return source.transact("renumber slots", (session, collections) -> {
            MetaDocument meta = new MetaDocument(session, collections);
            Integer wanted = meta.lock().agreed().partitionsWanted();
            return wanted != null && new OwnershipDocuments(session, collections).renumber(meta, wanted);
        });
    }

    @Override
    public List<Pause> pauses() {
        return source.use("read what is on hold", PauseDocuments::all);
    }
}
