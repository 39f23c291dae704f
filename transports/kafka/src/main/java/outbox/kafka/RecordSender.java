package outbox.kafka;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Brings records to Kafka, and reports an outcome for each. */
sealed interface RecordSender extends AutoCloseable permits StreamSender, TransactionalSender {

    /** Begins to send the records of one call, and returns soon. */
    void send(List<PendingRecord> parcels);

    /** Gets ready to send, to these topics above all; ends when that is done, or has failed. */
    CompletableFuture<Void> warm(List<String> topics);

    @Override
    void close();
}
