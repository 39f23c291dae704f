package outbox.mongodb.internal.event;

import com.mongodb.client.ClientSession;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.bson.Document;
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
 * Settle: items of every kind in one transaction.
 *
 * <p>The fence is a write. A transaction reads a snapshot, and a plain read of the slot's document would not meet a
 * takeover that commits meanwhile: both would succeed. So the settlement changes the slot's document, at its epoch, and
 * so does a takeover; of two transactions that change one document MongoDB lets the first go on and fails the other.
 * A settlement that fails is done again on a newer snapshot, which shows the new epoch, and it then changes nothing. The
 * change has to be a real one: writing the value that is there already is no write, and meets nobody.
 *
 * <p>What others need comes last: the slot's document, and after it, if a key is paused, the one that all nodes share.
 * A process that vanishes half way holds what it has written until somebody ends its transaction (see
 * {@link SettleSession}), and mostly that is only its events, which the next owner can read and deliver meanwhile.
 */
public record SettleTransaction(SettleRequest request) {

    /** Ends the transaction of an owner that has lost its slot. */
    public static final class Fenced extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Fenced() {
            super("the slot is not this node's any more", null, false, false);
        }
    }

    public SettleResult execute(ClientSession session, OutboxCollections collections) {
        SettleWrites writes = new SettleWrites(request, new SettleWrites.Commands(collections, session));
        Set<String> written = new HashSet<>(writes.execute());
        boolean pausesChanged = false;
        for (SettleItem item : request.items()) {
            if (SettleWrites.pausesKey(item) && writes.writeDead(item)) {
                written.add(item.eventId());
                pausesChanged |= pause(session, collections, item);
            }
        }
        if (request.fence() instanceof Fence.Ownership slot && !touch(session, collections, slot.ownership())) {
            throw new Fenced();
        }
        if (pausesChanged) {
            new MetaDocument(session, collections).raiseHoldsVersion();
        }
        return writes.result(written);
    }

    /** Changes the slot's document if it is held so. */
    static boolean touch(ClientSession session, OutboxCollections collections, PartitionOwnership hold) {
        return collections
                        .slots()
                        .updateOne(
                                session,
                                OwnershipDocuments.held(hold),
                                new Document("$inc", new Document(OwnershipDocuments.SETTLED, 1L)))
                        .getMatchedCount()
                == 1;
    }

    /** Whether that is news. */
    private static boolean pause(ClientSession session, OutboxCollections collections, SettleItem item) {
        String key = Objects.requireNonNull(item.pausesKey());
        String reason = "event " + item.eventId() + " is dead";
        return new PauseDocuments(session, collections).put(new Pause.Subject(Pause.Kind.KEY, key), reason, "catbox");
    }
}
