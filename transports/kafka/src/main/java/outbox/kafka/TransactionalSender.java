package outbox.kafka;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import outbox.model.Delivery;
import outbox.util.Ulids;

/** The transactional mode: a producer for each slot, and one transaction for each call. */
final class TransactionalSender implements RecordSender {

    private final ClientProperties client;
    private final String idPrefix;
    private final Failures failures;
    private final TopicScout scout;
    private final Map<Integer, TransactionalSlot> slots = new ConcurrentHashMap<>();
    private volatile boolean closed;

    TransactionalSender(ClientProperties client, String idPrefix, Failures failures, TopicScout scout) {
        this.client = client;
        this.idPrefix = idPrefix;
        this.failures = failures;
        this.scout = scout;
    }

    @Override
    public void send(List<Parcel> parcels) {
        TransactionalSlot slot = slots.computeIfAbsent(parcels.get(0).delivery().slot(), this::slot);
        if (closed) {
            slot.close();
        }
        slot.submit(parcels);
    }

    private TransactionalSlot slot(int number) {
        // Whoever owns a slot fences the former owner by using the same id. Where there are no slots nobody is fenced,
        // and two applications with one id would only keep throwing each other out.
        String suffix = number == Delivery.NO_SLOT ? Ulids.SYSTEM.next() : Integer.toString(number);
        return new TransactionalSlot(client, idPrefix + "-" + suffix, failures, scout);
    }

    @Override
    public void close() {
        closed = true;
        slots.values().forEach(TransactionalSlot::close);
        scout.close();
    }
}
