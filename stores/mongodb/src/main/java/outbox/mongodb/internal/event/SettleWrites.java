package outbox.mongodb.internal.event;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonType;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;

/**
 * What settlements write into their events: one command for all, or two where done events are deleted and others failed.
 */
public record SettleWrites(SettleRequest request, Commands commands) {

    /**
     * Sends commands to the collection of events.
     *
     * @param session of the transaction that they belong to; null for none
     */
    record Commands(OutboxCollections collections, @Nullable ClientSession session) {

        BulkWriteResult write(List<WriteModel<Document>> writes) {
            return session == null
                    ? collections.events().bulkWrite(writes)
                    : collections.events().bulkWrite(session, writes);
        }

        List<Document> read(List<String> eventIds) {
            Bson these = Filters.in(Field.ID, eventIds);
            FindIterable<Document> found = session == null
                    ? collections.events().find(these)
                    : collections.events().find(session, these);
            return found.into(new ArrayList<>());
        }
    }

    /** The fields of an acknowledgement. */
    public static final String TARGET = "target";

    public static final String AT = "at";

    private static final DeleteOptions DELETE_BY_ID = new DeleteOptions().hintString("_id_");

    /** Writes everything but dead events that pause their keys; returns the ids of the events that were written. */
    Set<String> execute() {
        List<WriteModel<Document>> acknowledgements = acknowledgements();
        if (!acknowledgements.isEmpty()) {
            commands.write(acknowledgements);
        }
        List<WriteModel<Document>> writes = done();
        writes.addAll(failures());
        if (writes.isEmpty()) {
            return Set.of();
        }
        List<SettleItem> items =
                request.items().stream().filter(item -> !pausesKey(item)).toList();
        return written(items, changed(commands.write(writes)));
    }

    // How many events a command has changed is known, and not which. If not all were, those were that are as their
    // settlements say; of more than that, the ones that were attempted last.
    private Set<String> written(List<SettleItem> items, int changed) {
        List<String> ids = items.stream().map(SettleItem::eventId).toList();
        if (changed == 0 || changed == items.size()) {
            return changed == 0 ? Set.of() : Set.copyOf(ids);
        }
        Map<String, Document> events = new HashMap<>();
        commands.read(ids).forEach(event -> events.put(event.getString(Field.ID), event));
        return items.stream()
                .filter(item -> isAsSettled(item, events.get(item.eventId())))
                .map(SettleItem::eventId)
                .sorted(Comparator.comparingLong((String id) -> attemptedAt(events.get(id)))
                        .reversed())
                .limit(changed)
                .collect(Collectors.toSet());
    }

    private boolean isAsSettled(SettleItem item, @Nullable Document event) {
        if (event == null) {
            return item.settlement() instanceof Settlement.Done && request.doneRows() == DoneRows.DELETE;
        }
        return switch (item.settlement()) {
            case Settlement.Done done -> isOf(event, Field.COMPLETED);
            case Settlement.Retry retry -> isFree(event) && counts(event, item.expectedAttempts() + 1);
            case Settlement.Postponed postponed -> isFree(event) && counts(event, item.expectedAttempts());
            case Settlement.Dead dead ->
                isOf(event, Field.FAILED) && counts(event, item.expectedAttempts() + (dead.counts() ? 1 : 0));
        };
    }

    private static boolean isFree(Document event) {
        return isOf(event, Field.PENDING) && event.get(Field.CLAIM_TOKEN) == null;
    }

    private static boolean isOf(Document event, String status) {
        return status.equals(event.get(Field.STATUS));
    }

    private static boolean counts(Document event, int attempts) {
        return event.get(Field.RETRY_COUNT) instanceof Number count && count.intValue() == attempts;
    }

    // An event that is gone was deleted as done. Another program may have written anything for a time.
    private static long attemptedAt(@Nullable Document event) {
        if (event == null) {
            return Long.MAX_VALUE;
        }
        return event.get(Field.LAST_ATTEMPT_AT) instanceof Date at
                ? at.toInstant().toEpochMilli()
                : Long.MIN_VALUE;
    }

    /** The result, if the events of these ids were written. */
    SettleResult result(Set<String> written) {
        return new SettleResult.Settled(request.items().stream()
                .map(item -> SettleResult.Item.written(written.contains(item.eventId())))
                .toList());
    }

    static boolean pausesKey(SettleItem item) {
        return item.pausesKey() != null && item.settlement() instanceof Settlement.Dead;
    }

    /** Writes one dead event by itself; false when it was not there to be written. */
    boolean writeDead(SettleItem item) {
        return item.settlement() instanceof Settlement.Dead dead
                && changed(commands.write(List.of(SettleUpdates.dead(unchanged(item), dead, attempt(item))))) == 1;
    }

    private static int changed(BulkWriteResult result) {
        return result.getMatchedCount() + result.getDeletedCount();
    }

    /** In version 1 the targets stood there by themselves. */
    public static void giveTimesToAcknowledgements(OutboxCollections collections) {
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

    private List<WriteModel<Document>> done() {
        List<WriteModel<Document>> writes = new ArrayList<>();
        List<Claim> done = request.items().stream()
                .map(SettleItem::settlement)
                .filter(Settlement.Done.class::isInstance)
                .map(Settlement::claim)
                .toList();
        if (!done.isEmpty()) {
            for (Bson filter : ours(done)) {
                writes.add(
                        request.doneRows() == DoneRows.DELETE
                                ? new DeleteManyModel<>(filter, DELETE_BY_ID)
                                : SettleUpdates.done(filter));
            }
        }
        return writes;
    }

    private List<WriteModel<Document>> failures() {
        List<WriteModel<Document>> writes = new ArrayList<>();
        for (SettleItem item : request.items()) {
            switch (item.settlement()) {
                case Settlement.Done done -> {} // Together with the others.
                case Settlement.Retry retry -> writes.add(SettleUpdates.retry(unchanged(item), retry, attempt(item)));
                case Settlement.Postponed postponed -> writes.add(SettleUpdates.postponed(unchanged(item), postponed));
                case Settlement.Dead dead
                when !pausesKey(item) -> writes.add(SettleUpdates.dead(unchanged(item), dead, attempt(item)));
                case Settlement.Dead dead -> {} // By itself, since a pause is to follow only if it is written.
            }
        }
        return writes;
    }

    private Document attempt(SettleItem item) {
        return new Document("attempt", item.expectedAttempts() + 1)
                .append("node", Expression.literal(request.nodeId()))
                .append("destination", Expression.literal(item.destination()));
    }

    private Bson unchanged(SettleItem item) {
        return Filters.and(ours(item.settlement().claim()), Filters.eq(Field.RETRY_COUNT, item.expectedAttempts()));
    }

    private Bson ours(Claim claim) {
        return ours(List.of(claim)).getFirst();
    }

    private List<Bson> ours(List<Claim> claims) {
        return switch (request.fence()) {
            case Fence.Ownership slot ->
                claims.stream().collect(Collectors.groupingBy(Claim::replays)).entrySet().stream()
                        .map(group -> ofSlot(group.getValue(), group.getKey()))
                        .toList();
            case Fence.Tokens tokens -> Claims.held(claims);
        };
    }

    private static Bson ofSlot(List<Claim> claims, int replays) {
        return Filters.and(
                Filters.in(Field.ID, claims.stream().map(Claim::eventId).toList()),
                Expression.PENDING,
                Filters.eq(Field.REPLAYS, replays == 0 ? null : replays));
    }
}
