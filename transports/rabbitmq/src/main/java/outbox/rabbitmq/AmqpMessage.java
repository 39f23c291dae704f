package outbox.rabbitmq;

import com.rabbitmq.client.AMQP;

/** One event as RabbitMQ takes it. The body is shared, not copied. */
@SuppressWarnings("ArrayRecordComponent")
record AmqpMessage(Route route, AMQP.BasicProperties properties, byte[] body) {

    /** The event's. */
    String id() {
        return properties.getMessageId();
    }
}
