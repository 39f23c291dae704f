/**
 * Loop: runs all stages of a partition, one iteration at a time.
 *
 * <p>{@link outbox.relay.internal.loop.DeliveryLoop} is the one class that knows all stages. Between two stages stands a
 * class that knows both: a {@link outbox.relay.internal.loop.Claimer} between claim and order,
 * {@link outbox.relay.internal.loop.LaneDelivery} between order and deliver,
 * {@link outbox.relay.internal.loop.OutcomeHandler} between deliver, order and settle. Iterations of one loop never
 * overlap, so the stages have no locks. {@link outbox.relay.internal.loop.LoopExecutor} gives loops to threads; the
 * simulator runs the same loops in virtual time.
 */
@NullMarked
package outbox.relay.internal.loop;

import org.jspecify.annotations.NullMarked;
