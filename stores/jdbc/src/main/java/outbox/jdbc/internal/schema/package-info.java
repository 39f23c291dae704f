/**
 * Migrations, indexes, and the check that the tables are those of this version.
 */
@NullMarked
package outbox.jdbc.internal.schema;

import org.jspecify.annotations.NullMarked;
