package outbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import outbox.EventEnvelope;
import outbox.internal.Utf8;
import outbox.message.Message;
import outbox.message.MessageForm;
import outbox.model.Delivery;

/** Converts deliveries to messages. It refuses everything that the client would refuse later. */
final class MessageBuilder {

    static final String KEY = "outbox-key";

    private static final int SHORT_TEXT_BYTES_MAX = 255;

    /** Properties and headers share one frame of at most 131,072 bytes, with the client's own. */
    private static final int HEADERS_BYTES_MAX = 120_000;

    /** Overhead of a header in addition to its name and value: two lengths and a type. */
    private static final int OVERHEAD_BYTES = 6;

    /** A text in one of these headers would end the channel for every message on it. */
    private static final List<String> EXTRA_ROUTES = List.of("CC", "BCC");

    private static final int PERSISTENT = 2;
    private static final int TRANSIENT = 1;

    private final RabbitMqConfig config;

    MessageBuilder(RabbitMqConfig config) {
        this.config = config;
    }

    /**
     * Returns the message of a delivery.
     *
     * @throws IllegalArgumentException with the reason why RabbitMQ can never accept it
     */
    AmqpMessage message(Delivery delivery) {
        EventEnvelope event = delivery.event();
        Route route = Route.of(delivery, config.publishing());
        Message message = config.writer().write(delivery);
        AMQP.BasicProperties.Builder properties = new AMQP.BasicProperties.Builder()
                .messageId(event.eventId())
                .timestamp(Date.from(event.occurredAt()))
                .contentType(message.contentType())
                .deliveryMode(config.publishing().persistent() ? PERSISTENT : TRANSIENT)
                .headers(headers(message));
        if (Utf8.length(event.eventType()) <= SHORT_TEXT_BYTES_MAX) {
            properties.type(event.eventType());
        }
        return new AmqpMessage(route, properties.build(), message.body());
    }

    private Map<String, Object> headers(Message message) {
        Map<String, Object> headers = new HashMap<>(message.headers());
        boolean keyIsInForm = config.writer().form() == MessageForm.CLOUDEVENTS
                || config.writer().form() == MessageForm.CLOUDEVENTS_STRUCTURED;
        if (message.key() != null && !keyIsInForm) {
            headers.put(KEY, message.key());
        }
        for (String extraRoutes : EXTRA_ROUTES) {
            if (headers.containsKey(extraRoutes)) {
                throw new IllegalArgumentException("the header " + extraRoutes
                        + " means further routing keys to RabbitMQ, which accepts no text there");
            }
        }
        long bytes = 0;
        for (Map.Entry<String, Object> header : headers.entrySet()) {
            long name = Utf8.length(header.getKey());
            if (name > SHORT_TEXT_BYTES_MAX) {
                throw new IllegalArgumentException("the name of a header has " + name + " bytes, allowed are "
                        + SHORT_TEXT_BYTES_MAX + ": " + header.getKey().substring(0, 40) + "...");
            }
            bytes += name + Utf8.length((String) header.getValue()) + OVERHEAD_BYTES;
        }
        if (bytes > HEADERS_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "the headers have " + bytes + " bytes, allowed are " + HEADERS_BYTES_MAX);
        }
        return headers;
    }
}
