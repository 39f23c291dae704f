package outbox.kafka;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends records to Kafka and reports an outcome for each. */
sealed interface RecordSender extends AutoCloseable permits StreamSender, TransactionalSender {

    /** Starts to send the records of one call, and returns without waiting for them. */
    void send(List<PendingRecord> records);

    /** Prepares for sending, in particular to these topics. Completes when that has succeeded or failed. */
    CompletableFuture<Void> warm(List<String> topics);

    @Override
    void close();
}
