package outbox.mongodb.internal.relay;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.result.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.Document;
import org.bson.conversions.Bson;
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
 * The registry of relays, in the database of their events. Two changes that must not both succeed write a common
 * document, because reading the same document causes no conflict.
 */
public final class MongoClusterStore implements ClusterStore {

    /** Written when a node joins, read by its threads. */
    private volatile MongoSource source;

    public MongoClusterStore(MongoSource source) {
        this.source = source.within(AnswerTimes.ofCommand(AnswerTimes.NODE_TIMEOUT));
    }

    @Override
    public void join(Member member, @Nullable ClusterLayout layout, Duration timeout) {
        source = source.within(AnswerTimes.ofCommand(timeout));
        new SchemaCheck(source).require(EventIndex.neededFor(layout));
        new CorruptEvents(source).setUnreachableDead();
        source.transact("join as " + member.nodeId(), (session, collections) -> {
            MetaDocument meta = new MetaDocument(session, collections);
            if (layout == null) {
                meta.lock().agreed().requireRelays(collection());
            } else {
                agree(session, collections, layout);
            }
            new NodeDocuments(session, collections).add(member, timeout);
            return member;
        });
    }

    /**
     * Makes the checks of {@link #join}, and changes nothing.
     *
     * @throws outbox.SchemaException when collections or indexes are missing or of another version
     * @throws outbox.LayoutMismatchException when the collection has another layout
     */
    public void check(ClusterLayout layout) {
        new SchemaCheck(source).require(EventIndex.neededFor(layout));
        StoredLayout agreed = source.transact(
                "check the layout",
                (session, collections) ->
                        new MetaDocument(session, collections).read().agreed());
        if (!agreed.isTarget(layout)) {
            agreed.require(collection(), layout);
        }
    }

    private void agree(ClientSession session, OutboxCollections collections, ClusterLayout layout) {
        MetaDocument meta = new MetaDocument(session, collections);
        StoredLayout agreed = meta.lock().agreed();
        // A node that joins with the wanted number finishes the change if it can, because there may be no other node.
        if (agreed.isTarget(layout)
                && new OwnershipDocuments(session, collections).repartition(meta, layout.partitions())) {
            agreed = meta.read().agreed();
        }
        agreed.require(collection(), layout);
        if (agreed.strategy() == null) {
            meta.setStrategy(layout.strategy().label());
        }
    }

    private String collection() {
        return "collection " + source.names().event();
    }

    /** Two commands: the heartbeat, which only writes the member's document, and a read of the cluster. */
    @Override
    public Optional<ClusterView> heartbeat(Heartbeat heartbeat) {
        MongoSource fast = source.within(AnswerTimes.ofHeartbeatCommand(heartbeat.timeout()));
        Bson member = Filters.and(Filters.eq(NodeDocuments.ID, heartbeat.session()), NodeDocuments.ALIVE);
        List<Document> alive = List.of(new Document("$set", NodeDocuments.heartbeat(heartbeat)));
        UpdateResult result =
                fast.use("send a heartbeat", collections -> collections.nodes().updateOne(member, alive));
        return result.getMatchedCount() == 1 ? new ClusterRead(fast, heartbeat).execute() : Optional.empty();
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
    public List<AcquiredPartition> acquire(Set<Integer> partitions, String session, ClusterLayout layout) {
        // One transaction each, so that a settlement in progress in one partition does not delay the others.
        return partitions.stream()
                .sorted()
                .flatMap(partition -> acquire(partition, session, layout).stream())
                .toList();
    }

    private Optional<AcquiredPartition> acquire(int number, String member, ClusterLayout layout) {
        return source.transactUnlessBusy("acquire partition " + number, (session, collections) -> {
            OwnershipDocuments partitions = new OwnershipDocuments(session, collections);
            NodeDocuments nodes = new NodeDocuments(session, collections);
            StoredLayout agreed = new MetaDocument(session, collections).read().agreed();
            OwnershipDocuments.Content partition =
                    agreed.allowsOwnership(layout, number) ? partitions.read(number) : null;
            if (partition == null || !nodes.isAlive(member)) {
                return Optional.empty();
            }
            String former = partition.owner();
            if (former != null && !nodes.isGone(former)) {
                return Optional.empty();
            }
            SettleSession.endPrevious(partition, source);
            AcquiredPartition acquired = partitions.assign(partition, member);
            String detail = "epoch " + acquired.ownership().epoch() + (former == null ? "" : ", from " + former);
            new AuditDocuments(session, collections).add(member, "acquire", "partition " + number, detail);
            return Optional.of(acquired);
        });
    }

    @Override
    public void outlived(PartitionOwnership ownership) {
        source.use("reset the deaths of partition " + ownership.partition(), collections -> {
            OwnershipDocuments.resetDeaths(collections, ownership);
            return ownership;
        });
    }

    @Override
    public void release(List<PartitionOwnership> ownerships) {
        if (ownerships.isEmpty()) {
            return;
        }
        List<UpdateOneModel<Document>> releases = ownerships.stream()
                .map(ownership ->
                        new UpdateOneModel<Document>(OwnershipDocuments.owned(ownership), OwnershipDocuments.RELEASED))
                .toList();
        source.use("release partitions", collections -> collections.slots().bulkWrite(releases));
    }

    @Override
    public void leave(String session) {
        source.transact("leave", (transaction, collections) -> {
            new OwnershipDocuments(transaction, collections).releaseAll(session);
            new NodeDocuments(transaction, collections).remove(session);
            return session;
        });
    }

    @Override
    public List<String> forgetExpired(Duration olderThan) {
        return source.transact(
                "remove expired nodes",
                (session, collections) -> new NodeDocuments(session, collections).removeExpired(olderThan));
    }

    @Override
    public boolean repartition() {
        return source.transact("repartition", (session, collections) -> {
            MetaDocument meta = new MetaDocument(session, collections);
            Integer wanted = meta.lock().agreed().partitionsWanted();
            return wanted != null && new OwnershipDocuments(session, collections).repartition(meta, wanted);
        });
    }

    @Override
    public List<Pause> pauses() {
        return source.use("read pauses", PauseDocuments::all);
    }
}
