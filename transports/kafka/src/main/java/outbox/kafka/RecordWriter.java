package outbox.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import outbox.message.Message;
import outbox.message.MessageForm;
import outbox.message.MessageWriter;
import outbox.message.Template;
import outbox.model.Delivery;

/** Converts deliveries to Kafka records. */
record RecordWriter(Template topic, MessageWriter writer) {

    private static final String CONTENT_TYPE = "content-type";

    /**
     * Returns the record of a delivery.
     *
     * @throws IllegalArgumentException when it has no topic, or does not fit the message form
     */
    ProducerRecord<byte[], byte[]> write(Delivery delivery) {
        Message message = writer.write(delivery);
        RecordHeaders headers = new RecordHeaders();
        // Consumers of Debezium's router do not expect this header.
        if (writer.form() != MessageForm.DEBEZIUM_OUTBOX) {
            headers.add(CONTENT_TYPE, utf8(message.contentType()));
        }
        for (Map.Entry<String, String> header : message.headers().entrySet()) {
            if (!header.getKey().equals(CONTENT_TYPE) || writer.form() == MessageForm.DEBEZIUM_OUTBOX) {
                headers.add(header.getKey(), utf8(header.getValue()));
            }
        }
        return new ProducerRecord<>(topic(delivery), null, null, keyOf(message), message.body(), headers);
    }

    /**
     * Returns the topic of a delivery.
     *
     * @throws IllegalArgumentException when the event lacks a value that the topic's template needs
     */
    String topic(Delivery delivery) {
        String address = delivery.address();
        return address == null ? topic.fill(delivery.event()) : address;
    }

    private static byte @Nullable [] keyOf(Message message) {
        return message.key() == null ? null : utf8(message.key());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
