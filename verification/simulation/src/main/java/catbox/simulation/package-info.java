/**
 * A whole cluster of real engine code on one thread, in virtual time, with everything going wrong that can.
 *
 * <p>{@link catbox.simulation.Simulation} runs one seed, {@link catbox.simulation.Simulator} any number
 * of them. What is simulated is the store, the destinations, the clocks, the threads, the writers and an operator; what
 * is tested is every line of the engine. The same seed gives the same run, in every process.
 *
 * <p>Checked is that nothing is lost, stuck, given up without a reason, settled twice or counted wrongly; that keys
 * keep their order and dead events pause them where that is configured; that only the owner of a partition delivers and settles;
 * that nothing makes duplicates where nothing excuses them; that memory is bounded, and that a cluster with nothing to
 * do is quiet. With claims by lease there is no order across nodes, and no partition to own.
 */
@NullMarked
package catbox.simulation;

import org.jspecify.annotations.NullMarked;
