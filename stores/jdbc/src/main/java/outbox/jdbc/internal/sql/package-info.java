/**
 * Running statements: parameters, rows, transactions of the outbox's own, time-outs, and what an SQLException means.
 */
@NullMarked
package outbox.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
