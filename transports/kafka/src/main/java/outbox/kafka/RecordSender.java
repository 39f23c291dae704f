package outbox.kafka;

import java.util.List;

/** Brings records to Kafka, and reports an outcome for each. */
sealed interface RecordSender extends AutoCloseable permits StreamSender, TransactionalSender {

    /** Begins to send the records of one call, and returns soon. */
    void send(List<Parcel> parcels);

    @Override
    void close();
}
