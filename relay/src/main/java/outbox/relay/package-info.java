/**
 * The relay: claims, orders, delivers and settles what applications have stored.
 *
 * <p>{@link outbox.relay.Relay} is what one starts. {@link outbox.relay.RelayNode} is one node without threads: every
 * loop is a method that does one turn, which production repeats and tests call. {@link outbox.relay.SlotLoop} is the
 * one class that knows all stages of a slot; the stages are packages of their own and do not know each other.
 */
@NullMarked
package outbox.relay;

import org.jspecify.annotations.NullMarked;
