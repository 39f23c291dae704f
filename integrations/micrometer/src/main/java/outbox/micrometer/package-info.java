/**
 * What the outbox does, as Micrometer's meters and observations.
 *
 * <p>Takes what dispatcher, relay and statistics tell; gives meters whose names are those of docs/reference/metrics.md.
 * Promises that labels are few: sources, destinations, slots, outcomes, and a hundred event types. Never makes a key or
 * an event id a label, never disturbs what it observes.
 */
@NullMarked
package outbox.micrometer;

import org.jspecify.annotations.NullMarked;
