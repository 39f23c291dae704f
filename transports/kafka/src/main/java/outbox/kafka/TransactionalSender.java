package outbox.kafka;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import outbox.internal.Ulids;
import outbox.model.Delivery;

/** Sends with transactions: one producer for each relay partition, and one transaction for each call. */
final class TransactionalSender implements RecordSender {

    private final TransactionQueue.Parts parts;
    private final String idPrefix;
    private final Map<Integer, TransactionQueue> queues = new ConcurrentHashMap<>();
    private volatile boolean closed;

    TransactionalSender(TransactionQueue.Parts parts, String idPrefix) {
        this.parts = parts;
        this.idPrefix = idPrefix;
    }

    @Override
    public void send(List<PendingRecord> records) {
        TransactionQueue queue =
                queues.computeIfAbsent(records.get(0).delivery().partition(), this::newQueue);
        if (closed) {
            queue.close();
        }
        queue.submit(records);
    }

    // A partition's producer is created on first use: earlier it would fence the partition's current owner.
    @Override
    public CompletableFuture<Void> warm(List<String> topics) {
        return CompletableFuture.runAsync(() -> parts.topics().problems(Set.copyOf(topics)), Thread::startVirtualThread)
                .exceptionally(missing -> null);
    }

    private TransactionQueue newQueue(int partition) {
        // The new owner of a partition fences the former owner by using the same id. Without partitions there is no
        // owner to fence, and two applications with one id would fence each other forever.
        String suffix = partition == Delivery.NO_PARTITION ? Ulids.SYSTEM.next() : Integer.toString(partition);
        return new TransactionQueue(parts, idPrefix + "-" + suffix);
    }

    @Override
    public void close() {
        closed = true;
        queues.values().forEach(TransactionQueue::close);
    }
}
