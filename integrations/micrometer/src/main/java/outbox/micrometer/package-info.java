/**
 * Exports the outbox's activity as Micrometer meters and observations.
 *
 * <p>It takes events of dispatcher and relay, and statistics of the store. It gives meters with the names in
 * docs/reference/metrics.md. It promises few label values: sources, destinations, partitions, outcomes, and a hundred
 * event types. It never makes a key or an event id a label, and never affects what it observes.
 */
@NullMarked
package outbox.micrometer;

import org.jspecify.annotations.NullMarked;
