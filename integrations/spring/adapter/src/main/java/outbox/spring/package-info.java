/**
 * Stores events in Spring's transactions. It takes the current thread's state from {@code
 * TransactionSynchronizationManager} and gives it to the outbox as a {@code TxContext}. It never begins, commits or
 * rolls back a transaction.
 */
@NullMarked
package outbox.spring;

import org.jspecify.annotations.NullMarked;
