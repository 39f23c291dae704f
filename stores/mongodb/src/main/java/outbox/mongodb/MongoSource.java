package outbox.mongodb;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.bson.Document;
import outbox.mongodb.internal.driver.MongoFailure;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.EventDocuments;

/**
 * The location of an outbox: the application's client, a database, and the names of the collections. The application
 * closes the client.
 *
 * <p>Whatever the client's settings, the outbox reads and writes the primary with majority, so what a relay has read
 * can never be rolled back. A server that does not answer in time counts as failed, because another may have become
 * primary.
 *
 * @param answerMax the time limit of each command, and of each transaction of the outbox's own
 */
public record MongoSource(MongoClient client, String databaseName, CollectionNames names, Duration answerMax) {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(15);

    static final TransactionOptions TRANSACTION = TransactionOptions.builder()
            .readConcern(ReadConcern.SNAPSHOT)
            .readPreference(ReadPreference.primary())
            .writeConcern(WriteConcern.MAJORITY)
            .build();

    public MongoSource(MongoClient client, String databaseName) {
        this(client, databaseName, CollectionNames.DEFAULT);
    }

    public MongoSource(MongoClient client, String databaseName, CollectionNames names) {
        this(client, databaseName, names, ANSWER_MAX);
    }

    public MongoSource within(Duration limit) {
        return new MongoSource(client, databaseName, names, limit);
    }

    /** The collections with the client's settings; in a session's transaction its options apply. */
    public OutboxCollections collections() {
        return new OutboxCollections(client.getDatabase(databaseName), names);
    }

    private MongoDatabase database() {
        return client.getDatabase(databaseName)
                .withReadPreference(ReadPreference.primary())
                .withReadConcern(ReadConcern.MAJORITY)
                .withWriteConcern(WriteConcern.MAJORITY);
    }

    /** The collections for use outside of any transaction; each command has a time limit. */
    OutboxCollections limited() {
        return new OutboxCollections(database().withTimeout(answerMax.toMillis(), TimeUnit.MILLISECONDS), names);
    }

    /** The time of the primary's clock. */
    public Instant now() {
        return use(
                "read the server's time",
                collections -> EventDocuments.required(
                        collections.database().runCommand(new Document("hello", 1), ReadPreference.primary()),
                        "localTime"));
    }

    /** Runs commands outside of any transaction. */
    public <T> T use(String attempted, Function<OutboxCollections, T> work) {
        try {
            return work.apply(limited());
        } catch (MongoException e) {
            throw MongoFailure.of(attempted, e);
        }
    }

    /** Runs commands outside of any transaction, without a time limit. */
    public <T> T useUnlimited(String attempted, Function<OutboxCollections, T> work) {
        try {
            return work.apply(new OutboxCollections(database(), names));
        } catch (MongoException e) {
            throw MongoFailure.of(attempted, e);
        }
    }

    /**
     * Reads a snapshot, by one command. An ordinary read may pause half-way and continue with what was committed in the
     * meantime. It could then return an event without an older one that was committed before it was inserted.
     */
    public <T> T snapshot(String attempted, Function<OutboxCollections, T> work) {
        return use(attempted, collections -> work.apply(collections.with(ReadConcern.SNAPSHOT)));
    }

    /** The work of a short transaction of the outbox's own. It may run several times before it is committed. */
    @FunctionalInterface
    public interface Work<T> extends BiFunction<ClientSession, OutboxCollections, T> {}

    public <T> T transact(String attempted, Work<T> work) {
        try (ClientSession session = newSession()) {
            return transact(session, attempted, work);
        }
    }

    /** Runs a transaction in a session that the caller keeps. */
    public <T> T transact(ClientSession session, String attempted, Work<T> work) {
        try {
            return session.withTransaction(() -> work.apply(session, collections()));
        } catch (MongoException e) {
            throw MongoFailure.of(attempted, e);
        }
    }

    /** For transactions of the outbox's own. */
    public ClientSession newSession() {
        return client.startSession(ClientSessionOptions.builder()
                .defaultTimeout(answerMax.toMillis(), TimeUnit.MILLISECONDS)
                .defaultTransactionOptions(TRANSACTION)
                .build());
    }

    /** Runs a transaction that does not wait: empty when another transaction is writing one of its documents. */
    public <T> Optional<T> transactUnlessBusy(String attempted, Work<Optional<T>> work) {
        try {
            return transact(attempted, (session, collections) -> {
                try {
                    return work.apply(session, collections);
                } catch (MongoException e) {
                    if (MongoFailure.isWriteConflict(e)) {
                        throw new DocumentBusy(e);
                    }
                    throw e;
                }
            });
        } catch (DocumentBusy e) {
            return Optional.empty();
        }
    }

    /** Ends a transaction that the driver would otherwise repeat. */
    private static final class DocumentBusy extends RuntimeException {

        private static final long serialVersionUID = 1L;

        DocumentBusy(MongoException cause) {
            super(cause);
        }
    }
}
