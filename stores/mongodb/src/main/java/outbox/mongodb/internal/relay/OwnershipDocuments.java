package outbox.mongodb.internal.relay;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.SettleSession;
import outbox.mongodb.internal.operations.AuditDocuments;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.PartitionOwnership;

/** The documents of partitions and their owners. The collection keeps its name: a slot is a partition. */
public record OwnershipDocuments(ClientSession session, OutboxCollections collections) {

    public static final String ID = "_id";
    static final String OWNER = "owner";
    static final String EPOCH = "epoch";
    /** The number of settlements. Its change makes a settlement conflict with a takeover. */
    public static final String SETTLED = "settled";

    /** How many owners died since the last one that stayed alive for a while; missing for none. */
    private static final String DEATHS = "deaths";

    /** The session in which the owner settles; see {@link SettleSession}. */
    public static final String SESSION = "session";

    /** When the owner acquired it, or the last one released it. */
    private static final String CHANGED_AT = "changedAt";

    /** Keeps the session: an owner that ran out of time to drain may have left a settlement in flight there. */
    static final Bson RELEASED = Updates.combine(Updates.unset(OWNER), Updates.currentDate(CHANGED_AT));

    /** One partition. */
    public record Content(
            int number,
            @Nullable String owner,
            long epoch,
            int deaths,
            @Nullable Document session,
            @Nullable Instant changedAt) {

        public static Content of(Document document) {
            return new Content(
                    document.getInteger(ID),
                    document.getString(OWNER),
                    document.getLong(EPOCH),
                    document.getInteger(DEATHS, 0),
                    document.get(SESSION, Document.class),
                    EventDocuments.instant(document, CHANGED_AT));
        }

        /** The owner if it is one of these sessions. */
        public @Nullable String ownerAmong(Set<String> alive) {
            return owner != null && alive.contains(owner) ? owner : null;
        }
    }

    /** The partition's document as long as it belongs to this owner at this epoch. */
    public static Bson owned(PartitionOwnership ownership) {
        return Filters.and(
                Filters.eq(ID, ownership.partition()),
                Filters.eq(EPOCH, ownership.epoch()),
                Filters.eq(OWNER, ownership.owner()));
    }

    /** A new partition, as the schema and a repartitioning add it. */
    public static Document fresh(int number, long epoch) {
        return new Document(ID, number).append(EPOCH, epoch).append(SETTLED, 0L);
    }

    @Nullable
    Content read(int number) {
        Document document =
                collections.slots().find(session, Filters.eq(ID, number)).first();
        return document == null ? null : Content.of(document);
    }

    static void resetDeaths(OutboxCollections collections, PartitionOwnership ownership) {
        collections.slots().updateOne(owned(ownership), Updates.unset(DEATHS));
    }

    /** Assigns a partition to its next owner. If the former owner has not released it, that owner has died. */
    AcquiredPartition assign(Content partition, String member) {
        int deaths = partition.owner() == null ? partition.deaths() : partition.deaths() + 1;
        long epoch = partition.epoch() + 1;
        Bson change = Updates.combine(
                Updates.set(OWNER, member),
                Updates.set(EPOCH, epoch),
                Updates.set(DEATHS, deaths),
                Updates.unset(SESSION),
                Updates.currentDate(CHANGED_AT));
        collections.slots().updateOne(session, Filters.eq(ID, partition.number()), change);
        return new AcquiredPartition(new PartitionOwnership(partition.number(), epoch, member), deaths);
    }

    /** Releases every partition of a session. */
    void releaseAll(String member) {
        collections.slots().updateMany(session, Filters.eq(OWNER, member), RELEASED);
    }

    /** Changes the number of partitions if all are free, and raises their epochs, so that former owners are fenced. */
    boolean repartition(MetaDocument meta, int partitions) {
        List<Content> present = collections
                .slots()
                .find(session)
                .sort(Sorts.ascending(ID))
                .map(Content::of)
                .into(new ArrayList<>());
        NodeDocuments nodes = new NodeDocuments(session, collections);
        if (present.stream().anyMatch(each -> each.owner() != null && !nodes.isGone(each.owner()))) {
            return false;
        }
        long epochMax = present.stream().mapToLong(Content::epoch).max().orElse(0);
        List<Document> more = IntStream.range(present.size(), Math.max(present.size(), partitions))
                .mapToObj(number -> fresh(number, epochMax))
                .toList();
        if (!more.isEmpty()) {
            collections.slots().insertMany(session, more);
        }
        Bson renewed = Updates.combine(RELEASED, Updates.set(DEATHS, 0), Updates.inc(EPOCH, 1L));
        collections.slots().updateMany(session, new Document(), renewed);
        meta.setPartitions(partitions);
        new AuditDocuments(session, collections)
                .add("catbox", "renumber", collections.names().event(), "to " + partitions);
        return true;
    }
}
