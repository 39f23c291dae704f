package outbox.mongodb.internal.event;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.BsonType;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.relay.Verdict;

/**
 * What verdicts write into their events: one command for all, or two where done events are deleted and others failed.
 *
 * @param bulk sends it, within a transaction or without
 */
public record SettleWrites(SettleRequest request, Bulk bulk) {

    /** Sends writes together. */
    @FunctionalInterface
    public interface Bulk {
        BulkWriteResult write(List<WriteModel<Document>> writes);
    }

    /** The fields of an acknowledgement. */
    public static final String TARGET = "target";

    public static final String AT = "at";

    private static final DeleteOptions DELETE_BY_ID = new DeleteOptions().hintString("_id_");

    /** Writes everything but dead events that halt their keys; returns how many events the verdicts changed. */
    public int execute() {
        List<WriteModel<Document>> acknowledgements = acknowledgements();
        if (!acknowledgements.isEmpty()) {
            bulk.write(acknowledgements);
        }
        List<WriteModel<Document>> writes = done();
        writes.addAll(failures());
        return writes.isEmpty() ? 0 : changed(bulk.write(writes));
    }

    /** Writes one dead event by itself; false when it was not there to be written. */
    boolean writeDead(Verdict verdict) {
        return verdict.settlement() instanceof Settlement.Dead dead
                && changed(bulk.write(List.of(SettleUpdates.dead(unchanged(verdict), dead, attempt(verdict))))) == 1;
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
        List<Claim> done = request.verdicts().stream()
                .map(Verdict::settlement)
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
        for (Verdict verdict : request.verdicts()) {
            switch (verdict.settlement()) {
                case Settlement.Done done -> {} // Together with the others.
                case Settlement.Retry retry ->
                    writes.add(SettleUpdates.retry(unchanged(verdict), retry, attempt(verdict)));
                case Settlement.Postponed postponed ->
                    writes.add(SettleUpdates.postponed(unchanged(verdict), postponed));
                case Settlement.Dead dead
                when verdict.haltsKey() == null ->
                    writes.add(SettleUpdates.dead(unchanged(verdict), dead, attempt(verdict)));
                case Settlement.Dead dead -> {} // By itself, since a hold is to follow only if it is written.
            }
        }
        return writes;
    }

    private Document attempt(Verdict verdict) {
        return new Document("attempt", verdict.attempts() + 1)
                .append("node", Expression.literal(request.nodeId()))
                .append("destination", Expression.literal(verdict.destination()));
    }

    private Bson unchanged(Verdict verdict) {
        return Filters.and(ours(verdict.settlement().claim()), Filters.eq(Field.RETRY_COUNT, verdict.attempts()));
    }

    private Bson ours(Claim claim) {
        return ours(List.of(claim)).getFirst();
    }

    private List<Bson> ours(List<Claim> claims) {
        return switch (request.fence()) {
            case Fence.Slot slot ->
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
