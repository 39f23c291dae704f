package outbox.mongodb;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.model.Acknowledgement;
import outbox.model.Claim;
import outbox.model.Hold;
import outbox.model.SettleRequest;
import outbox.model.SettleRequest.DoneRows;
import outbox.model.SettleRequest.Fence;
import outbox.model.Settlement;
import outbox.model.SlotHold;
import outbox.model.Verdict;

/**
 * Settle: verdicts of every kind in one transaction.
 *
 * <p>The fence is a write. A transaction reads a snapshot, and a plain read of the slot's document would not meet a
 * takeover that commits meanwhile: both would succeed. So the settlement changes the slot's document, at its epoch, and
 * so does a takeover; of two transactions that change one document MongoDB lets the first go on and fails the other.
 * A settlement that fails is done again on a newer snapshot, which shows the new epoch, and it then changes nothing. The
 * change has to be a real one: writing the value that is there already is no write, and meets nobody.
 *
 * <p>The slot's document comes last. A process that is frozen half way holds what it has written until the server gives
 * its transaction up, after a minute by default; so it holds its events, which the next owner can read and deliver, and
 * not the slot, which the next owner has to write.
 */
record SettleTransaction(SettleRequest request) {

    private static final DeleteOptions DELETE_BY_ID = new DeleteOptions().hintString("_id_");

    /** Ends the transaction of an owner that has lost its slot. */
    static final class Fenced extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Fenced() {
            super("the slot is not this node's any more", null, false, false);
        }
    }

    int execute(ClientSession session, OutboxCollections collections) {
        acknowledge(session, collections);
        int written = writeDone(session, collections) + writeFailures(session, collections);
        if (request.fence() instanceof Fence.Slot slot && !touch(session, collections, slot.hold())) {
            throw new Fenced();
        }
        return written;
    }

    private static boolean touch(ClientSession session, OutboxCollections collections, SlotHold hold) {
        Bson held = Filters.and(
                Filters.eq(SlotDocuments.ID, hold.slot()),
                Filters.eq(SlotDocuments.EPOCH, hold.epoch()),
                Filters.eq(SlotDocuments.OWNER, hold.owner()));
        return collections
                        .slots()
                        .updateOne(session, held, new Document("$inc", new Document(SlotDocuments.SETTLED, 1L)))
                        .getMatchedCount()
                == 1;
    }

    private void acknowledge(ClientSession session, OutboxCollections collections) {
        List<WriteModel<Document>> writes = new ArrayList<>();
        for (Acknowledgement each : request.acknowledgements()) {
            writes.add(new UpdateOneModel<>(
                    ours(each.claim()),
                    new Document("$addToSet", new Document(Field.ACKNOWLEDGED, each.target())),
                    Writes.BY_ID));
        }
        if (!writes.isEmpty()) {
            collections.events().bulkWrite(session, writes);
        }
    }

    private int writeDone(ClientSession session, OutboxCollections collections) {
        List<Claim> done = request.verdicts().stream()
                .map(Verdict::settlement)
                .filter(Settlement.Done.class::isInstance)
                .map(Settlement::claim)
                .toList();
        if (done.isEmpty()) {
            return 0;
        }
        List<WriteModel<Document>> writes = new ArrayList<>();
        for (Bson filter : ours(done)) {
            writes.add(
                    request.doneRows() == DoneRows.DELETE
                            ? new DeleteManyModel<>(filter, DELETE_BY_ID)
                            : Writes.done(filter));
        }
        BulkWriteResult result = collections.events().bulkWrite(session, writes);
        return result.getMatchedCount() + result.getDeletedCount();
    }

    private int writeFailures(ClientSession session, OutboxCollections collections) {
        List<WriteModel<Document>> writes = new ArrayList<>();
        int halting = 0;
        for (Verdict verdict : request.verdicts()) {
            Bson filter =
                    Filters.and(ours(verdict.settlement().claim()), Filters.eq(Field.RETRY_COUNT, verdict.attempts()));
            switch (verdict.settlement()) {
                case Settlement.Done done -> {} // Written already.
                case Settlement.Retry retry -> writes.add(Writes.retry(filter, retry, attempt(verdict)));
                case Settlement.Dead dead
                when verdict.haltsKey() == null -> writes.add(Writes.dead(filter, dead, attempt(verdict)));
                case Settlement.Dead dead -> {
                    // By itself, since the hold is to follow only if it is written.
                    if (matched(session, collections, List.of(Writes.dead(filter, dead, attempt(verdict)))) == 1) {
                        halt(session, collections, verdict);
                        halting++;
                    }
                }
            }
        }
        return halting + (writes.isEmpty() ? 0 : matched(session, collections, writes));
    }

    private static int matched(
            ClientSession session, OutboxCollections collections, List<? extends WriteModel<Document>> writes) {
        return collections.events().bulkWrite(session, writes).getMatchedCount();
    }

    private static void halt(ClientSession session, OutboxCollections collections, Verdict verdict) {
        String key = verdict.haltsKey();
        if (key != null) {
            String reason = "event " + verdict.settlement().claim().eventId() + " is dead";
            new HoldDocuments(session, collections).add(new Hold.Subject(Hold.Kind.KEY, key), reason, "catbox");
        }
    }

    private Document attempt(Verdict verdict) {
        return new Document("attempt", verdict.attempts() + 1)
                .append("node", Expression.literal(request.nodeId()))
                .append("destination", Expression.literal(verdict.destination()));
    }

    private Bson ours(Claim claim) {
        return ours(List.of(claim)).getFirst();
    }

    private List<Bson> ours(List<Claim> claims) {
        return switch (request.fence()) {
            case Fence.Slot slot ->
                List.of(Filters.and(
                        Filters.in(Field.ID, claims.stream().map(Claim::eventId).toList()), Expression.PENDING));
            case Fence.Tokens tokens -> Claims.held(claims);
        };
    }
}
