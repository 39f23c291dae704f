package outbox.mongodb.internal.event;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Updates;
import com.mongodb.client.result.UpdateResult;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.OutboxException;
import outbox.internal.ErrorText;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.relay.OwnershipDocuments;
import outbox.spi.relay.PartitionOwnership;

/**
 * The session in which an owner settles a partition, from its first settlement to its last.
 *
 * <p>The server keeps an abandoned transaction, with all its writes, for a minute by default. After a relay vanished in
 * the middle of a settlement, the next owner would wait that long to settle the same events, or even to take the
 * partition. Therefore the owner records its session in the partition's document before it first settles, and the next
 * owner ends that session's transaction, whether the former owner vanished or released the partition with a settlement
 * in flight. A former owner that was only frozen finds its transaction gone when it resumes, repeats it, and is fenced.
 *
 * <p>The next owner may itself freeze between reading which session to end and ending it. So a session is never reused:
 * the driver would give a closed one to the next caller, perhaps to a transaction of the application, which would then
 * be ended for no reason.
 */
public final class SettleSession implements AutoCloseable {

    private static final Logger LOG = System.getLogger(SettleSession.class.getName());

    private final PartitionOwnership ownership;
    private final ClientSession session;

    private SettleSession(PartitionOwnership ownership, ClientSession session) {
        this.ownership = ownership;
        this.session = session;
    }

    /**
     * Begins a session and records it in the partition's document.
     *
     * @throws SettleTransaction.Fenced when the node no longer owns the partition
     */
    public static SettleSession begin(MongoSource source, PartitionOwnership ownership) {
        ClientSession session = source.newSession();
        try {
            BsonDocument id = session.getServerSession().getIdentifier();
            Bson recorded = Updates.set(OwnershipDocuments.SESSION, id);
            UpdateResult result = source.use(
                    "record the session that settles partition " + ownership.partition(),
                    collections -> collections.slots().updateOne(OwnershipDocuments.owned(ownership), recorded));
            if (result.getMatchedCount() == 0) {
                throw new SettleTransaction.Fenced();
            }
            return new SettleSession(ownership, session);
        } catch (RuntimeException e) {
            discard(session); // It may have been recorded although there was no answer.
            throw e;
        }
    }

    public boolean isOf(PartitionOwnership other) {
        return ownership.equals(other);
    }

    public ClientSession session() {
        return session;
    }

    /**
     * Ends the transaction that the former owner of a partition left open. If that fails, only this partition waits.
     */
    public static void endPrevious(OwnershipDocuments.Content partition, MongoSource source) {
        Document left = partition.session();
        if (left == null) {
            return;
        }
        try {
            source.use(
                    "end the settlement that was left in partition " + partition.number(),
                    collections -> collections.database().runCommand(new Document("killSessions", List.of(left))));
        } catch (OutboxException e) {
            LOG.log(Level.WARNING, "partition {0} may have to wait: {1}", partition.number(), ErrorText.of(e));
        }
    }

    @Override
    public void close() {
        discard(session);
    }

    // The driver does not reuse a session that is marked dirty. The server forgets it after half an hour.
    private static void discard(ClientSession session) {
        session.getServerSession().markDirty();
        session.close();
    }
}
