package outbox;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.dispatch.OutboxDispatcher;
import outbox.spi.EventStore;
import outbox.spi.HotPath;
import outbox.spi.HotPath.Handover;
import outbox.spi.JdbcPublishStore;
import outbox.spi.MetricsExporter;
import outbox.spi.PublishStore;
import outbox.spi.TxContext;

/**
 * Publishes events inside the caller's transaction: the event is stored exactly when the transaction commits.
 *
 * <p>Safe for use by any number of threads.
 */
public final class OutboxClient {

    private final PublishStore store;
    private final @Nullable HotPath hotPath;

    /** The metrics are counted by the dispatcher; the parameter is part of the published signature. */
    public OutboxClient(
            TxContext txContext, EventStore eventStore, OutboxDispatcher dispatcher, MetricsExporter metrics) {
        this(new JdbcPublishStore(txContext, eventStore), dispatcher);
    }

    /** A client over any store, whose committed events go by any hot path. */
    public OutboxClient(PublishStore store, HotPath hotPath) {
        this.store = store;
        this.hotPath = hotPath;
    }

    private OutboxClient(PublishStore store) {
        this.store = store;
        this.hotPath = null;
    }

    /** A client that only stores; something else, such as a relay, delivers. */
    public static OutboxClient storeOnly(PublishStore store) {
        return new OutboxClient(store);
    }

    /**
     * Stores the event in the current transaction and returns its id. Delivery begins when that commits.
     *
     * @throws NoTransactionException when no transaction is active
     * @throws DuplicateEventException when the event id is already stored
     */
    public String publish(EventEnvelope event) {
        storeAll(List.of(event));
        return event.eventId();
    }

    /** Stores all events or none, in list order, many by one statement. See {@link #publish}. */
    public List<String> publishAll(List<EventEnvelope> events) {
        List<EventEnvelope> all = List.copyOf(events);
        requireDistinct(all);
        if (!all.isEmpty()) {
            storeAll(all);
        }
        return all.stream().map(EventEnvelope::eventId).toList();
    }

    private void storeAll(List<EventEnvelope> events) {
        if (!store.isTransactionActive()) {
            throw new NoTransactionException(events.size());
        }
        if (hotPath == null) {
            store.store(events, null);
            return;
        }
        Handover handover = hotPath.prepare();
        store.store(events, handover.claim());
        store.afterCommit(() -> handover.committed(events));
    }

    private static void requireDistinct(List<EventEnvelope> events) {
        Set<String> seen = new HashSet<>();
        for (EventEnvelope event : events) {
            if (!seen.add(event.eventId())) {
                throw new InvalidEventException("eventId", event.eventId() + " occurs twice in one publishAll");
            }
        }
    }
}
