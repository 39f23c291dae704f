/**
 * Loop: runs all stages of a partition, one iteration at a time.
 *
 * <p>{@link outbox.relay.internal.loop.DeliveryLoop} is the one class that knows all stages. Iterations of one loop never
 * overlap, so the stages have no locks. {@link outbox.relay.internal.loop.LoopExecutor} gives loops to threads; the
 * simulator runs the same loops in virtual time.
 */
@NullMarked
package outbox.relay.internal.loop;

import org.jspecify.annotations.NullMarked;
