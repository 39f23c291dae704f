package catbox.chaos;

import java.util.List;
import java.util.OptionalLong;
import outbox.EventEnvelope;

/** Business transactions that lock a key, increase its counter and publish events with those numbers. */
interface KeyedTransactions {

    /** Begins a transaction on this thread. */
    Transaction begin() throws WriteFailedException;

    /** A transaction. Closing it rolls back uncommitted changes. */
    interface Transaction extends AutoCloseable {

        /**
         * Locks a key until the end of the transaction.
         *
         * @return the number of the key's last event; empty when another transaction holds the key and this one does
         * not wait
         */
        OptionalLong take(String key, boolean wait) throws WriteFailedException;

        /** Publishes events of a locked key, and increases its counter. */
        void publish(String key, List<EventEnvelope> events, long lastNumber) throws WriteFailedException;

        void commit() throws WriteFailedException;

        @Override
        void close() throws WriteFailedException;
    }

    /** The database is unreachable, or has refused the transaction; whether it was committed is unknown. */
    final class WriteFailedException extends Exception {

        private static final long serialVersionUID = 1L;

        WriteFailedException(Exception cause) {
            super(cause);
        }
    }
}
