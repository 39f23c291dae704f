package outbox.kafka;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import outbox.internal.Ulids;
import outbox.model.Delivery;

/** The transactional mode: a producer for each slot, and one transaction for each call. */
final class TransactionalSender implements RecordSender {

    private final TransactionalSlot.Parts parts;
    private final String idPrefix;
    private final Map<Integer, TransactionalSlot> slots = new ConcurrentHashMap<>();
    private volatile boolean closed;

    TransactionalSender(TransactionalSlot.Parts parts, String idPrefix) {
        this.parts = parts;
        this.idPrefix = idPrefix;
    }

    @Override
    public void send(List<PendingRecord> parcels) {
        TransactionalSlot slot = slots.computeIfAbsent(parcels.get(0).delivery().slot(), this::slot);
        if (closed) {
            slot.close();
        }
        slot.submit(parcels);
    }

    // A slot's producer is made when it is first used: earlier it would shut out the one who has the slot.
    @Override
    public CompletableFuture<Void> warm(List<String> topics) {
        return CompletableFuture.runAsync(() -> parts.topics().troubles(Set.copyOf(topics)), Thread::startVirtualThread)
                .exceptionally(missing -> null);
    }

    private TransactionalSlot slot(int number) {
        // Whoever owns a slot fences the former owner by using the same id. Where there are no slots nobody is fenced,
        // and two applications with one id would only keep throwing each other out.
        String suffix = number == Delivery.NO_SLOT ? Ulids.SYSTEM.next() : Integer.toString(number);
        return new TransactionalSlot(parts, idPrefix + "-" + suffix);
    }

    @Override
    public void close() {
        closed = true;
        slots.values().forEach(TransactionalSlot::close);
    }
}
