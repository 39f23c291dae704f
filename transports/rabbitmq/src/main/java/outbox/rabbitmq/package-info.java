/**
 * Delivers to RabbitMQ. It takes deliveries and gives each an outcome, and an event counts as delivered only when the
 * broker has confirmed it and has not returned it. It never retries, never blocks the caller's thread, and does not use
 * the client's automatic recovery, which might send an event twice.
 *
 * <p>How to read it: {@link outbox.rabbitmq.RabbitMqDestination} takes calls and enforces their deadlines. {@code
 * MessageBuilder} converts deliveries to messages. The {@code Publisher} thread writes them to a {@code
 * ConfirmChannel}, which holds the unconfirmed messages of one channel. The {@code Connector} opens connections.
 */
@NullMarked
package outbox.rabbitmq;

import org.jspecify.annotations.NullMarked;
