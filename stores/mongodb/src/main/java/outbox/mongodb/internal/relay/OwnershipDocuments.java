package outbox.mongodb.internal.relay;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

/** Who owns which slot. */
public record OwnershipDocuments(ClientSession session, OutboxCollections collections) {

    public static final String ID = "_id";
    static final String OWNER = "owner";
    static final String EPOCH = "epoch";
    /** How many settlements were written; what makes a settlement and a takeover meet. */
    public static final String SETTLED = "settled";

    /** How many owners died since the last that outlived its predecessors; missing for none. */
    private static final String DEATHS = "deaths";

    /** The session in which the owner settles; see {@link SettleSession}. */
    public static final String SESSION = "session";

    /** When the owner took it, or the last one gave it back. */
    private static final String CHANGED_AT = "changedAt";

    /** The session stays: an owner whose time to drain was over may have left a settlement under way in it. */
    static final Document FREED =
            new Document("$unset", new Document(OWNER, "")).append("$currentDate", new Document(CHANGED_AT, true));

    /** One slot. */
    public record Content(
            int slot,
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
    }

    /** The slot's document while it is this owner's, at this epoch. */
    public static Bson held(PartitionOwnership hold) {
        return Filters.and(
                Filters.eq(ID, hold.partition()), Filters.eq(EPOCH, hold.epoch()), Filters.eq(OWNER, hold.owner()));
    }

    /** A slot as the schema installs it, and as a renumbering adds it. */
    public static Document fresh(int slot, long epoch) {
        return new Document(ID, slot).append(EPOCH, epoch).append(SETTLED, 0L);
    }

    @Nullable
    Content read(int slot) {
        Document document =
                collections.slots().find(session, Filters.eq(ID, slot)).first();
        return document == null ? null : Content.of(document);
    }

    static void forgetDeaths(OutboxCollections collections, PartitionOwnership hold) {
        collections.slots().updateOne(held(hold), new Document("$unset", new Document(DEATHS, "")));
    }

    /** Gives a slot to its next owner. One that was not given back belonged to an owner that has died. */
    AcquiredPartition give(Content slot, String member) {
        int deaths = slot.owner() == null ? slot.deaths() : slot.deaths() + 1;
        long epoch = slot.epoch() + 1;
        collections
                .slots()
                .updateOne(
                        session,
                        Filters.eq(ID, slot.slot()),
                        new Document(
                                        "$set",
                                        new Document(OWNER, member)
                                                .append(EPOCH, epoch)
                                                .append(DEATHS, deaths))
                                .append("$unset", new Document(SESSION, ""))
                                .append("$currentDate", new Document(CHANGED_AT, true)));
        return new AcquiredPartition(new PartitionOwnership(slot.slot(), epoch, member), deaths);
    }

    /** Frees every slot of a session. */
    void freeAll(String member) {
        collections.slots().updateMany(session, Filters.eq(OWNER, member), FREED);
    }

    /** Changes the number of slots, if every one is free, so that whoever owned one before is fenced. */
    boolean renumber(MetaDocument meta, int partitions) {
        List<Content> slots = collections
                .slots()
                .find(session)
                .sort(Sorts.ascending(ID))
                .map(Content::of)
                .into(new ArrayList<>());
        NodeDocuments nodes = new NodeDocuments(session, collections);
        if (slots.stream().anyMatch(slot -> slot.owner() != null && !nodes.isGone(slot.owner()))) {
            return false;
        }
        long epochMax = slots.stream().mapToLong(Content::epoch).max().orElse(0);
        List<Document> more = IntStream.range(slots.size(), Math.max(slots.size(), partitions))
                .mapToObj(slot -> fresh(slot, epochMax))
                .toList();
        if (!more.isEmpty()) {
            collections.slots().insertMany(session, more);
        }
        collections
                .slots()
                .updateMany(
                        session,
                        new Document(),
                        new Document(FREED)
                                .append("$set", new Document(DEATHS, 0))
                                .append("$inc", new Document(EPOCH, 1L)));
        meta.setPartitions(partitions);
        new AuditDocuments(session, collections)
                .add("catbox", "renumber", collections.names().event(), "to " + partitions);
        return true;
    }
}
