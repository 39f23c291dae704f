/**
 * The event table: insert, claim, settle and purge events, and set aside rows that cannot be read.
 *
 * <p>A batch is one statement, and every mark names the claim or the partition that it is made under.
 */
@NullMarked
package outbox.jdbc.internal.event;

import org.jspecify.annotations.NullMarked;
