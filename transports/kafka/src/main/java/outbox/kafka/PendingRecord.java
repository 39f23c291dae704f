package outbox.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;

/** A delivery with its record and the receipt for its outcome. */
record PendingRecord(
        Delivery delivery, ProducerRecord<byte[], byte[]> message, int index, Destination.Receipt receipt) {

    String topic() {
        return message.topic();
    }

    @Nullable
    String key() {
        return delivery.event().orderingKey();
    }

    /** Returns the approximate size of the record; Kafka adds a few dozen bytes. */
    int bytes() {
        int bytes = message.value().length + (message.key() == null ? 0 : message.key().length);
        for (Header header : message.headers()) {
            bytes += header.key().length() + (header.value() == null ? 0 : header.value().length);
        }
        return bytes;
    }

    void delivered(RecordMetadata metadata) {
        report(new Outcome.Delivered(metadata.topic(), metadata.partition(), metadata.offset()));
    }

    void report(Outcome outcome) {
        receipt.report(index, outcome);
    }
}
