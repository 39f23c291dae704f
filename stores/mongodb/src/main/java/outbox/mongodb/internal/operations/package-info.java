/**
 * Operators' queries and changes: search, history, counts, replay, edit, discard, audit.
 *
 * <p>The cost of a query depends on its page, never on the size of the collection.
 */
@NullMarked
package outbox.mongodb.internal.operations;

import org.jspecify.annotations.NullMarked;
