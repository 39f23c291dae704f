package outbox.mongodb;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Begins, commits and rolls back transactions and notifies the outbox of them. Transactions are committed with
 * majority: otherwise a failover could roll back an event that was already handed over.
 *
 * <p>Prefer {@link #call}: it repeats the work when MongoDB asks for that, as it does whenever two transactions write
 * the same document. Only events of the last, committed attempt are handed over.
 */
public final class MongoTransactions {

    private static final Logger LOG = System.getLogger(MongoTransactions.class.getName());
    private static final int COMMITS_MAX = 5;

    private final MongoClient client;
    private final ThreadLocalMongoTxContext txContext;

    public MongoTransactions(MongoClient client, ThreadLocalMongoTxContext txContext) {
        this.client = client;
        this.txContext = txContext;
    }

    /** Runs the work in a transaction; see {@link #call}. */
    public void run(Consumer<ClientSession> work) {
        call(session -> {
            work.accept(session);
            return txContext;
        });
    }

    /**
     * Runs the work in a transaction and returns its result: commits when it returns, rolls back when it throws. Like
     * the driver's {@code withTransaction}, it repeats the work after a temporary failure, and a commit whose reply was
     * lost, for two minutes at most.
     */
    public <T> T call(Function<ClientSession, T> work) {
        requireNone();
        try (ClientSession session = newSession()) {
            T result;
            AtomicBoolean workDone = new AtomicBoolean();
            try {
                result = session.withTransaction(() -> {
                    workDone.set(false);
                    T done = attempt(session, work);
                    workDone.set(true);
                    return done;
                });
            } catch (RuntimeException | Error e) {
                if (txContext.isBound()) {
                    end(workDone.get() && isUnknown(e));
                }
                throw e;
            }
            txContext.committed();
            return result;
        }
    }

    private <T> T attempt(ClientSession session, Function<ClientSession, T> work) {
        if (txContext.isBound()) {
            txContext.rolledBack(); // The attempt before this one.
        }
        txContext.bind(session);
        T result = work.apply(session);
        if (!session.hasActiveTransaction()) {
            // The driver would take this for a success.
            throw new IllegalStateException("the work ended its transaction itself; let it return or throw instead");
        }
        return result;
    }

    // The poller or the relay finds events that were committed after all. Uncommitted events must not be handed over.
    private void end(boolean unknown) {
        if (unknown) {
            txContext.unknown();
        } else {
            txContext.rolledBack();
        }
    }

    /**
     * Whether the outcome of a failed commit is unknown: always, unless the server itself has refused it. An interrupt,
     * for example, ends the wait for an answer, and not the commit.
     */
    private static boolean isUnknown(Throwable e) {
        return !(e instanceof MongoCommandException refusal)
                || refusal.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
    }

    /** Begins a transaction on this thread. Closing it rolls it back unless it was committed. */
    public Transaction begin() {
        requireNone();
        ClientSession session = newSession();
        try {
            session.startTransaction();
            txContext.bind(session);
            return new Transaction(session);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    private void requireNone() {
        if (txContext.isBound()) {
            throw new IllegalStateException("this thread is in a transaction already; commit or roll it back first");
        }
    }

    private ClientSession newSession() {
        return client.startSession(ClientSessionOptions.builder()
                .defaultTransactionOptions(MongoSource.TRANSACTION)
                .build());
    }

    /** A transaction of the thread that began it. Its work is never repeated; that is up to the caller. */
    public final class Transaction implements AutoCloseable {

        private final ClientSession session;
        private boolean open = true;

        private Transaction(ClientSession session) {
            this.session = session;
        }

        public ClientSession session() {
            return session;
        }

        /**
         * Commits, and repeats a commit whose reply was lost. If the outcome stays unknown, the published events are
         * not handed over; if they were committed after all, the poller or the relay finds them.
         */
        public void commit() {
            requireOpen();
            RuntimeException failure = null;
            for (int n = 0; n < COMMITS_MAX && (n == 0 || isWorthRepeating(failure)); n++) {
                failure = commitOnce();
            }
            open = false;
            session.close();
            if (failure == null) {
                txContext.committed();
                return;
            }
            end(isUnknown(failure));
            throw failure;
        }

        private @Nullable RuntimeException commitOnce() {
            try {
                session.commitTransaction();
                return null;
            } catch (RuntimeException e) {
                return e;
            }
        }

        private static boolean isWorthRepeating(@Nullable RuntimeException failure) {
            return failure instanceof MongoException mongo
                    && mongo.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
        }

        public void rollback() {
            requireOpen();
            open = false;
            try (session) {
                if (session.hasActiveTransaction()) {
                    session.abortTransaction();
                }
            } catch (MongoException e) {
                // The server ends an abandoned transaction after a while.
                LOG.log(Level.DEBUG, "a transaction could not be rolled back: {0}", e.getMessage());
            } finally {
                txContext.rolledBack();
            }
        }

        @Override
        public void close() {
            if (open) {
                rollback();
            }
        }

        private void requireOpen() {
            if (!open) {
                throw new IllegalStateException("the transaction has ended already");
            }
        }
    }
}
