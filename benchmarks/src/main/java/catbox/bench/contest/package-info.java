/**
 * Catbox beside its peers: starts PostgreSQL and Kafka, starts each contender in a JVM of its own, lets them take turns,
 * measures them from outside, keeps what it saw as JSON lines, and reports.
 */
@NullMarked
package catbox.bench.contest;

import org.jspecify.annotations.NullMarked;
