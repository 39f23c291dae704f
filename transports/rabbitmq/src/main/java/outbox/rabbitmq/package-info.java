/**
 * Events to RabbitMQ. It takes deliveries, gives each an outcome, and promises that one is delivered only when the broker
 * has confirmed it and has not returned it. It never retries, never waits on the caller's thread and leaves nothing to
 * the client's own recovery, which might send an event again behind our back.
 *
 * <p>How to read it: {@link outbox.rabbitmq.RabbitMqDestination} takes calls and sees to their deadlines;
 * {@code MessageFormer} makes the messages; the {@code Publisher}, a thread of its own, writes them to a {@code ConfirmChannel},
 * which is one connection with what it has not confirmed yet, made by the {@code Connector}.
 */
@NullMarked
package outbox.rabbitmq;

import org.jspecify.annotations.NullMarked;
