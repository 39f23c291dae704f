package catbox.chaos;

import java.util.List;
import java.util.OptionalLong;
import outbox.EventEnvelope;

/** Business transactions that take a key, count it up and publish events with those numbers. */
interface KeyedTransactions {

    /** Begins one on this thread. */
    Transaction begin() throws WriteFailedException;

    /** One transaction. Closing it rolls back what was not committed. */
    interface Transaction extends AutoCloseable {

        /**
         * Takes a key until the end of the transaction.
         *
         * @return the number of the key's last event; empty when somebody else has it and it is not worth waiting for
         */
        OptionalLong take(String key, boolean patiently) throws WriteFailedException;

        /** Publishes events of a key that was taken, and counts it up. */
        void publish(String key, List<EventEnvelope> events, long lastNumber) throws WriteFailedException;

        void commit() throws WriteFailedException;

        @Override
        void close() throws WriteFailedException;
    }

    /** The database is gone, or has refused the transaction; whether it was committed after all is not known. */
    final class WriteFailedException extends Exception {

        private static final long serialVersionUID = 1L;

        WriteFailedException(Exception cause) {
            super(cause);
        }
    }
}
