/**
 * Compares Catbox with its peers. It starts PostgreSQL and Kafka, starts each contender in a separate JVM, alternates
 * between them, measures them from outside, stores the results as JSON lines, and reports them.
 */
@NullMarked
package catbox.bench.contest;

import org.jspecify.annotations.NullMarked;
