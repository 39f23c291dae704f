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
 * Where an outbox is kept: a client of the application's, which stays the application's to close, a database, and the
 * names of the collections.
 *
 * <p>Whatever the client is set to, the outbox reads and writes the primary, with majority: what a relay has seen can
 * then never be rolled back. A server that does not answer for a while counts as failed: another may have become
 * primary.
 *
 * @param answerMax how long that while is, for each command and for each transaction of the outbox's own
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

    /** The same with another limit. */
    public MongoSource within(Duration limit) {
        return new MongoSource(client, databaseName, names, limit);
    }

    /** Collections to be used within a session's transaction, whose options then hold. */
    public OutboxCollections inside() {
        return new OutboxCollections(client.getDatabase(databaseName), names);
    }

    private MongoDatabase outside() {
        return client.getDatabase(databaseName)
                .withReadPreference(ReadPreference.primary())
                .withReadConcern(ReadConcern.MAJORITY)
                .withWriteConcern(WriteConcern.MAJORITY);
    }

    /** Collections to be used outside of any transaction; each command has a limited time. */
    OutboxCollections limited() {
        return new OutboxCollections(outside().withTimeout(answerMax.toMillis(), TimeUnit.MILLISECONDS), names);
    }

    /** The time of the primary's clock. */
    public Instant now() {
        return use(
                "ask for the server's time",
                collections -> EventDocuments.required(
                        collections.database().runCommand(new Document("hello", 1), ReadPreference.primary()),
                        "localTime"));
    }

    /** Does something outside of any transaction. */
    public <T> T use(String attempted, Function<OutboxCollections, T> work) {
        try {
            return work.apply(limited());
        } catch (MongoException e) {
            throw MongoFailure.of(attempted, e);
        }
    }

    /** The same, for work that may take the server any time. */
    public <T> T usePatiently(String attempted, Function<OutboxCollections, T> work) {
        try {
            return work.apply(new OutboxCollections(outside(), names));
        } catch (MongoException e) {
            throw MongoFailure.of(attempted, e);
        }
    }

    /**
     * Reads as of one moment, by one command. An ordinary read may yield half way and go on with what was committed
     * meanwhile; it could then show an event and not the older one that was committed before it was inserted.
     */
    public <T> T look(String attempted, Function<OutboxCollections, T> work) {
        return use(attempted, collections -> work.apply(collections.with(ReadConcern.SNAPSHOT)));
    }

    /** Work in a short transaction of the outbox's own. It may be done more than once, until it is committed. */
    @FunctionalInterface
    public interface Work<T> extends BiFunction<ClientSession, OutboxCollections, T> {}

    public <T> T transact(String attempted, Work<T> work) {
        try (ClientSession session = newSession()) {
            return transact(session, attempted, work);
        }
    }

    /** The same in a session that goes on. */
    public <T> T transact(ClientSession session, String attempted, Work<T> work) {
        OutboxCollections collections = inside();
        try {
            return session.withTransaction(() -> work.apply(session, collections));
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

    /** The same, for work that is not worth waiting for: empty when somebody else is at one of its documents. */
    public <T> Optional<T> tryTransact(String attempted, Work<Optional<T>> work) {
        try {
            return transact(attempted, (session, collections) -> {
                try {
                    return work.apply(session, collections);
                } catch (MongoException e) {
                    if (MongoFailure.isWriteConflict(e)) {
                        throw new SomebodyElse(e);
                    }
                    throw e;
                }
            });
        } catch (SomebodyElse e) {
            return Optional.empty();
        }
    }

    /** Ends a transaction that would otherwise be tried again. */
    private static final class SomebodyElse extends RuntimeException {

        private static final long serialVersionUID = 1L;

        SomebodyElse(MongoException cause) {
            super(cause);
        }
    }
}
