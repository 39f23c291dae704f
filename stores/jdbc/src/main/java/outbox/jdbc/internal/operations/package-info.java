/**
 * What operators ask and change: search, history, counts, replay, edit, discard, audit.
 *
 * <p>The cost of a query follows the page that it fills, never the size of the table.
 */
@NullMarked
package outbox.jdbc.internal.operations;

import org.jspecify.annotations.NullMarked;
