package outbox.rabbitmq;

import com.rabbitmq.client.AMQP;

/** One event in RabbitMQ's form. The body is shared, not copied. */
@SuppressWarnings("ArrayRecordComponent")
record AmqpMessage(Route route, AMQP.BasicProperties properties, byte[] body) {

    /** Returns the event's id. */
    String id() {
        return properties.getMessageId();
    }
}
