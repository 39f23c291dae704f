/**
 * The outbox in Spring's transactions. Takes what {@code TransactionSynchronizationManager} knows of the current
 * thread, gives it to the outbox as a {@code TxContext}; begins, commits and rolls back nothing itself.
 */
@NullMarked
package outbox.spring;

import org.jspecify.annotations.NullMarked;
