package outbox;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.dispatch.OutboxDispatcher;
import outbox.spi.ClaimingEventStore;
import outbox.spi.EventStore;
import outbox.spi.HotPath;
import outbox.spi.HotPath.Handover;
import outbox.spi.MetricsExporter;
import outbox.spi.PlainPublishStore;
import outbox.spi.PublishStep;
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
    private final PublishStep step;

    /** The metrics are counted by the dispatcher; the parameter is part of the published signature. */
    public OutboxClient(
            TxContext txContext, EventStore eventStore, OutboxDispatcher dispatcher, MetricsExporter metrics) {
        this(
                eventStore instanceof ClaimingEventStore claiming
                        ? claiming.publisher(txContext)
                        : new PlainPublishStore(txContext, eventStore),
                dispatcher);
    }

    /** A client over any store, whose committed events go by any hot path. */
    public OutboxClient(PublishStore store, HotPath hotPath) {
        this(store, hotPath, event -> event);
    }

    private OutboxClient(PublishStore store, @Nullable HotPath hotPath, PublishStep step) {
        this.store = store;
        this.hotPath = hotPath;
        this.step = step;
    }

    /** A client that only stores; something else, such as a relay, delivers. */
    public static OutboxClient storeOnly(PublishStore store) {
        return new OutboxClient(store, null, event -> event);
    }

    /** The same client, with a step that every event takes before it is stored, after those that there are. */
    public OutboxClient with(PublishStep next) {
        return new OutboxClient(store, hotPath, event -> next.prepare(step.prepare(event)));
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

    private void storeAll(List<EventEnvelope> published) {
        if (!store.isTransactionActive()) {
            throw new NoTransactionException(published.size());
        }
        List<EventEnvelope> events = published.stream().map(this::prepared).toList();
        if (hotPath == null) {
            store.store(events, null);
            return;
        }
        Handover handover = hotPath.prepare();
        store.store(events, handover.claim());
        store.afterCommit(() -> handover.committed(events));
    }

    private EventEnvelope prepared(EventEnvelope event) {
        EventEnvelope prepared = step.prepare(event);
        if (!prepared.eventId().equals(event.eventId())) {
            throw new IllegalStateException("a publish step turned event " + event.eventId() + " into event "
                    + prepared.eventId() + "; it may change headers, but not the id");
        }
        return prepared;
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
