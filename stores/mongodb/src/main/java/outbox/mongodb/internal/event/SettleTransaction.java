package outbox.mongodb.internal.event;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Updates;
import com.mongodb.client.result.UpdateResult;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.bson.conversions.Bson;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.relay.MetaDocument;
import outbox.mongodb.internal.relay.OwnershipDocuments;
import outbox.mongodb.internal.relay.PauseDocuments;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.Pause;

/**
 * Settles items of every kind in one transaction.
 *
 * <p>The fence is a write. A transaction reads a snapshot, and merely reading the partition's document would not
 * conflict with a takeover that commits in the meantime: both would succeed. So the settlement changes the partition's
 * document at its epoch, and so does a takeover. Of two transactions that change one document, MongoDB lets the first
 * continue and fails the other. A failed settlement is repeated on a newer snapshot, which shows the new epoch, and
 * then changes nothing. The change has to be a real one: writing the existing value is no write and conflicts with
 * nothing.
 *
 * <p>Shared documents are written last: the partition's document, and after it, if a key is paused, the one that all
 * nodes share. A process that vanishes half-way locks what it has written until its transaction is ended (see
 * {@link SettleSession}). Usually these are only its events, which the next owner can read and deliver in the meantime.
 */
public record SettleTransaction(MongoSource source, SettleRequest request) {

    /** Ends the transaction of an owner that has lost its partition. */
    public static final class Fenced extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Fenced() {
            super("this node no longer owns the partition", null, false, false);
        }
    }

    public SettleResult execute(ClientSession session, OutboxCollections collections) {
        SettleWrites writes = new SettleWrites(source, request, collections, session);
        Set<String> written = new HashSet<>(writes.execute());
        boolean pausesChanged = false;
        for (SettleItem item : request.items()) {
            if (SettleWrites.pausesKey(item) && writes.writeFailure(item)) {
                written.add(item.eventId());
                pausesChanged |= pause(session, collections, item);
            }
        }
        if (request.fence() instanceof Fence.Ownership fence && !touch(session, collections, fence.ownership())) {
            throw new Fenced();
        }
        if (pausesChanged) {
            new MetaDocument(session, collections).raisePausesVersion();
        }
        return writes.result(written);
    }

    /** Changes the partition's document if it still belongs to this owner at this epoch. */
    static boolean touch(ClientSession session, OutboxCollections collections, PartitionOwnership ownership) {
        Bson change = Updates.inc(OwnershipDocuments.SETTLED, 1L);
        UpdateResult result = collections.slots().updateOne(session, OwnershipDocuments.owned(ownership), change);
        return result.getMatchedCount() == 1;
    }

    /** Whether the key was not paused before. */
    private static boolean pause(ClientSession session, OutboxCollections collections, SettleItem item) {
        String key = Objects.requireNonNull(item.pausesKey());
        String reason = "event " + item.eventId() + " is dead";
        return new PauseDocuments(session, collections).put(new Pause.Subject(Pause.Kind.KEY, key), reason, "catbox");
    }
}
