/**
 * Order, deliver and settle inside an application.
 *
 * <p>Takes events that are claimed: from the publisher of this instance after commit (hot), or from the poller
 * (cold). Gives each to its listeners on a worker thread, and settles what became of it in batches. Promises that
 * an event whose claim was lost is neither started nor settled, that hot events go first, and that every queue is
 * bounded. Never decides when to look into the store: that is the poller's.
 */
@NullMarked
package outbox.dispatch;

import org.jspecify.annotations.NullMarked;
