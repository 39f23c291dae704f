package outbox.mongodb.internal.driver;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.bulk.BulkWriteError;
import java.util.List;
import org.bson.Document;
import outbox.DuplicateEventException;
import outbox.EventEnvelope;
import outbox.OutboxException;

/** Classifies and translates the driver's exceptions. */
public final class MongoFailure {

    public static final String STANDALONE = "this MongoDB server belongs to no replica set, and only replica sets have"
            + " transactions. Without them an event could not be stored together with the data it describes. One"
            + " member is enough: start mongod with --replSet and call rs.initiate().";

    private static final int UNAUTHORIZED = 13;
    private static final int AUTHENTICATION_FAILED = 18;
    private static final int CAUSES_MAX = 20;
    private static final int ILLEGAL_OPERATION = 20;
    private static final int WRITE_CONFLICT = 112;
    private static final int NO_SUCH_TRANSACTION = 251;
    private static final int INTERRUPTED = 11_601;
    private static final int DUPLICATE_KEY = 11_000;

    private MongoFailure() {}

    public static OutboxException of(String attempted, MongoException e) {
        return new OutboxException(
                isStandalone(e) ? STANDALONE : "the outbox could not " + attempted + ": " + e.getMessage(), e);
    }

    /**
     * Translates a failure within the application's transaction. An exception that makes the driver repeat the
     * transaction stays as it is, because the driver has to see it.
     */
    public static RuntimeException ofPublish(List<EventEnvelope> events, MongoException e) {
        if (e instanceof MongoBulkWriteException bulk) {
            for (BulkWriteError error : bulk.getWriteErrors()) {
                if (error.getCode() == DUPLICATE_KEY) {
                    return new DuplicateEventException(
                            List.of(events.get(error.getIndex()).eventId()), e);
                }
            }
        }
        return e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
                ? e
                : of("store " + events.size() + " event(s)", e);
    }

    /**
     * Whether another session has ended the transaction, as the next owner of a partition does. If that happens during
     * the commit, the server reports that there is no such transaction.
     */
    public static boolean wasEnded(OutboxException e) {
        return e.getCause() instanceof MongoException mongo
                && (mongo.getCode() == INTERRUPTED || mongo.getCode() == NO_SUCH_TRANSACTION);
    }

    /** Whether another transaction has written, or is writing, the same document. */
    public static boolean isWriteConflict(MongoException e) {
        return e.getCode() == WRITE_CONFLICT;
    }

    /** Whether the user lacks a right. */
    public static boolean isForbidden(MongoException e) {
        return e.getCode() == UNAUTHORIZED;
    }

    /** Whether the server refuses this user or password. */
    public static boolean isRefusedLogin(MongoException e) {
        Throwable cause = e;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (cause instanceof MongoSecurityException
                    || (cause instanceof MongoException mongo && mongo.getCode() == AUTHENTICATION_FAILED)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** Whether the server with this answer to {@code hello} belongs to no replica set. */
    public static boolean isStandalone(Document hello) {
        boolean isRouter = "isdbgrid".equals(hello.getString("msg"));
        return !isRouter && hello.getString("setName") == null;
    }

    // The driver wraps the server's answer in its own advice to switch retryable writes off.
    private static boolean isStandalone(MongoException e) {
        Throwable answer = e.getCause() instanceof MongoException ? e.getCause() : e;
        return answer instanceof MongoException mongo
                && mongo.getCode() == ILLEGAL_OPERATION
                && String.valueOf(mongo.getMessage()).contains("replica set");
    }
}
