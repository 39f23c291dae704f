package outbox.mongodb.internal.event;

import com.mongodb.client.ClientSession;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import outbox.OutboxException;
import outbox.internal.ErrorText;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.relay.OwnershipDocuments;
import outbox.spi.relay.PartitionOwnership;

/**
 * The session in which an owner settles a slot, from its first settlement to its last.
 *
 * <p>The server keeps a transaction that nobody ends, and all that it has written, for a minute by default. A relay that
 * vanishes in the middle of a settlement would keep the next owner from settling the same events for that long, or even
 * from the slot. So the owner writes down its session in the slot's document before it first settles, and whoever takes
 * the slot ends that session's transaction, whether the owner is gone or has given the slot back with a settlement under
 * way. The former owner, if it is only frozen, finds its transaction gone when it wakes, begins anew, and is fenced.
 *
 * <p>Whoever takes a slot may itself be frozen, after it has read whose session to end and before it ends it. So a session
 * is never handed on: the driver would give one that was closed to the next who asks, an application's transaction perhaps,
 * and it would be ended for something that it has nothing to do with.
 */
public final class SettleSession implements AutoCloseable {

    private static final Logger LOG = System.getLogger(SettleSession.class.getName());

    private final PartitionOwnership hold;
    private final ClientSession session;

    private SettleSession(PartitionOwnership hold, ClientSession session) {
        this.hold = hold;
        this.session = session;
    }

    /**
     * Begins one.
     *
     * @throws SettleTransaction.Fenced when the slot is not the node's any more
     */
    public static SettleSession begin(MongoSource source, PartitionOwnership hold) {
        ClientSession session = source.newSession();
        try {
            BsonDocument id = session.getServerSession().getIdentifier();
            boolean noted = source.use(
                                    "note the session that settles slot " + hold.partition(),
                                    collections -> collections
                                            .slots()
                                            .updateOne(
                                                    OwnershipDocuments.held(hold),
                                                    new Document("$set", new Document(OwnershipDocuments.SESSION, id))))
                            .getMatchedCount()
                    == 1;
            if (!noted) {
                throw new SettleTransaction.Fenced();
            }
            return new SettleSession(hold, session);
        } catch (RuntimeException e) {
            forget(session); // It may have been noted, though nobody answered.
            throw e;
        }
    }

    public boolean isOf(PartitionOwnership other) {
        return hold.equals(other);
    }

    public ClientSession session() {
        return session;
    }

    /** Ends what the former owner of a slot has left unfinished. Only the slot waits if that fails. */
    public static void endThatOf(OwnershipDocuments.Content slot, MongoSource source) {
        Document left = slot.session();
        if (left == null) {
            return;
        }
        try {
            source.use(
                    "end the settlement that was left in slot " + slot.slot(),
                    collections -> collections.database().runCommand(new Document("killSessions", List.of(left))));
        } catch (OutboxException e) {
            LOG.log(Level.WARNING, "slot {0} may have to wait: {1}", slot.slot(), ErrorText.of(e));
        }
    }

    @Override
    public void close() {
        forget(session);
    }

    // The driver keeps no session that it takes for spoilt; the server forgets it after half an hour.
    private static void forget(ClientSession session) {
        session.getServerSession().markDirty();
        session.close();
    }
}
