package outbox.mongodb.internal.event;

import com.mongodb.ReadConcern;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonType;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;

/**
 * Writes settlements into their events: one command for all, or two if done events are deleted and others have failed.
 *
 * @param session of the transaction that the commands belong to; null for none
 */
public record SettleWrites(
        MongoSource source,
        SettleRequest request,
        OutboxCollections collections,
        @Nullable ClientSession session) {

    /** The fields of an acknowledgement. */
    public static final String TARGET = "target";

    public static final String AT = "at";

    private static final DeleteOptions DELETE_BY_ID = new DeleteOptions().hintString("_id_");

    /** Writes everything but dead events that pause their keys; returns the ids of the events that were written. */
    Set<String> execute() {
        List<WriteModel<Document>> acknowledgements = acknowledgements();
        if (!acknowledgements.isEmpty()) {
            write(acknowledgements);
        }
        List<SettleItem> items =
                request.items().stream().filter(item -> !pausesKey(item)).toList();
        if (items.isEmpty()) {
            return Set.of();
        }
        Document mark = session == null ? new Document(Field.SETTLED_BY, new ObjectId()) : new Document();
        List<WriteModel<Document>> writes = done(items, mark);
        items.stream().filter(item -> !isDone(item)).forEach(item -> writes.add(failure(item, mark)));
        BulkWriteResult result = write(writes);
        int changed = result.getMatchedCount() + result.getDeletedCount();
        if (changed == 0 || changed == items.size()) {
            return changed == 0 ? Set.of() : Set.copyOf(ids(items));
        }
        return session == null ? marked(items, mark, result.getDeletedCount()) : matched(items);
    }

    private BulkWriteResult write(List<WriteModel<Document>> writes) {
        return session == null
                ? collections.events().bulkWrite(writes)
                : collections.events().bulkWrite(session, writes);
    }

    // The server says how many events a command has changed, and not which: so the command has marked them. Two answers
    // may be wrong, and only metrics depend on them: a deleted event shows no mark, so if others have deleted some,
    // too,
    // as many of those that are gone count as this command deleted; and a retry without delay may have been settled
    // again.
    private Set<String> marked(List<SettleItem> items, Document mark, int deleted) {
        Set<String> present = new HashSet<>();
        Set<String> written = new HashSet<>();
        collections
                .events()
                .find(Filters.in(Field.ID, ids(items)))
                .projection(Projections.include(Field.SETTLED_BY))
                .forEach(event -> {
                    present.add(event.getString(Field.ID));
                    if (Objects.equals(event.get(Field.SETTLED_BY), mark.get(Field.SETTLED_BY))) {
                        written.add(event.getString(Field.ID));
                    }
                });
        items.stream()
                .filter(item -> isDone(item) && !present.contains(item.eventId()))
                .limit(deleted)
                .forEach(item -> written.add(item.eventId()));
        return written;
    }

    // A session outside of the transaction still sees these events as they were before it, and nothing else can change
    // those that it has written. So the same filters find there what they have matched here.
    private Set<String> matched(List<SettleItem> items) {
        Bson before = Filters.and(
                Filters.in(Field.ID, ids(items)),
                Filters.or(items.stream().map(this::unsettled).toList()));
        return source.use(
                "read which events a settlement has matched",
                outside -> outside.with(ReadConcern.LOCAL)
                        .events()
                        .find(before)
                        .hintString("_id_")
                        .projection(Projections.include(Field.ID))
                        .map(event -> event.getString(Field.ID))
                        .into(new HashSet<>()));
    }

    private static List<String> ids(List<SettleItem> items) {
        return items.stream().map(SettleItem::eventId).toList();
    }

    /** The result, if the events of these ids were written. */
    SettleResult result(Set<String> written) {
        return new SettleResult.Settled(request.items().stream()
                .map(item -> SettleResult.Item.written(written.contains(item.eventId())))
                .toList());
    }

    public static boolean pausesKey(SettleItem item) {
        return item.pausesKey() != null && item.settlement() instanceof Settlement.Dead;
    }

    private static boolean isDone(SettleItem item) {
        return item.settlement() instanceof Settlement.Done;
    }

    /** Writes one failed event on its own; false if its claim was lost. */
    boolean writeFailure(SettleItem item) {
        return write(List.of(failure(item, new Document()))).getMatchedCount() == 1;
    }

    /** Adds times to the acknowledgements of version 1, which were only targets. */
    public static void addTimesToAcknowledgements(OutboxCollections collections) {
        Document dated = new Document(TARGET, "$$target").append(AT, Expression.NOW);
        Document each = new Document("input", "$" + Field.ACKNOWLEDGED)
                .append("as", "target")
                .append("in", dated);
        Document all = new Document("$map", each);
        collections
                .events()
                .updateMany(
                        Filters.type(Field.ACKNOWLEDGED, BsonType.STRING),
                        List.of(new Document("$set", new Document(Field.ACKNOWLEDGED, all))));
    }

    private List<WriteModel<Document>> acknowledgements() {
        List<WriteModel<Document>> writes = new ArrayList<>();
        for (Acknowledgement each : request.acknowledgements()) {
            Bson notYet = Filters.ne(Field.ACKNOWLEDGED + "." + TARGET, each.target());
            Document one = new Document(TARGET, Expression.literal(each.target())).append(AT, Expression.NOW);
            Document known = Expression.of("$ifNull", "$" + Field.ACKNOWLEDGED, List.of());
            Document all = Expression.of("$concatArrays", known, List.of(one));
            writes.add(new UpdateOneModel<>(
                    Filters.and(ours(each.claim()), notYet),
                    List.of(new Document("$set", new Document(Field.ACKNOWLEDGED, all))),
                    SettleUpdates.BY_ID));
        }
        return writes;
    }

    private List<WriteModel<Document>> done(List<SettleItem> items, Document mark) {
        List<WriteModel<Document>> writes = new ArrayList<>();
        List<Claim> done = items.stream()
                .filter(SettleWrites::isDone)
                .map(item -> item.settlement().claim())
                .toList();
        for (Bson filter : ours(done)) {
            writes.add(
                    request.doneRows() == DoneRows.DELETE
                            ? new DeleteManyModel<>(filter, DELETE_BY_ID)
                            : SettleUpdates.done(filter, mark));
        }
        return writes;
    }

    private WriteModel<Document> failure(SettleItem item, Document mark) {
        Document attempt = new Document("attempt", item.expectedAttempts() + 1)
                .append("node", Expression.literal(request.nodeId()))
                .append("destination", Expression.literal(item.destination()));
        return SettleUpdates.failed(unsettled(item), item.settlement(), attempt, mark);
    }

    /** The event as long as the item is to be written. */
    private Bson unsettled(SettleItem item) {
        Bson ours = ours(item.settlement().claim());
        return isDone(item) ? ours : Filters.and(ours, Filters.eq(Field.RETRY_COUNT, item.expectedAttempts()));
    }

    private Bson ours(Claim claim) {
        return ours(List.of(claim)).getFirst();
    }

    private List<Bson> ours(List<Claim> claims) {
        return switch (request.fence()) {
            case Fence.Ownership fence ->
                claims.stream().collect(Collectors.groupingBy(Claim::replays)).entrySet().stream()
                        .map(group -> ofPartition(group.getValue(), group.getKey()))
                        .toList();
            case Fence.Tokens tokens -> Claims.held(claims);
        };
    }

    private static Bson ofPartition(List<Claim> claims, int replays) {
        return Filters.and(
                Filters.in(Field.ID, claims.stream().map(Claim::eventId).toList()),
                Expression.PENDING,
                Filters.eq(Field.REPLAYS, replays == 0 ? null : replays));
    }
}
