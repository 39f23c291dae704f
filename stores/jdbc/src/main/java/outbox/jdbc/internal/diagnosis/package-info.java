/**
 * Checks that find what is wrong with a database, its schema, its clocks, its rights and its rows. They only read.
 */
@NullMarked
package outbox.jdbc.internal.diagnosis;

import org.jspecify.annotations.NullMarked;
