/**
 * Delivers and settles events inside an application.
 *
 * <p>Takes claimed events: from the publisher of this instance after its commit (hot), or from the poller (cold). Calls
 * the listeners of each on a worker thread, and settles the outcomes in batches. Promises that an event whose claim was
 * lost is neither started nor settled, that hot events go first, and that every queue is bounded. Never decides when to
 * poll the store: the poller does.
 */
@NullMarked
package outbox.dispatch;

import org.jspecify.annotations.NullMarked;
