package outbox.testkit;

import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.HotPath;

/** One store and one time, which all instances of a test share. */
public final class World {

    public final ManualTime time = new ManualTime();
    public final InMemoryStore store = new InMemoryStore(time);

    /** Publishes by the given hot path in a transaction of its own. */
    public EventEnvelope publish(HotPath hotPath, EventEnvelope event) {
        try (StoreFixture.Session session = store.newSession()) {
            session.begin();
            new OutboxClient(session.store(), hotPath).publish(event);
            session.commit();
        }
        return event;
    }

    /** Stores events that no hot path knows of, as an instance leaves them that has crashed. */
    public void store(EventEnvelope... events) {
        try (StoreFixture.Session session = store.newSession()) {
            session.begin();
            OutboxClient.storeOnly(session.store()).publishAll(List.of(events));
            session.commit();
        }
    }

    public OutboxEvent row(EventEnvelope event) {
        return store.operatorStore()
                .find(event.eventId())
                .orElseThrow(() -> new AssertionError(event + " is not stored"));
    }

    public EventState state(EventEnvelope event) {
        return row(event).state();
    }

    public EventStatus status(EventEnvelope event) {
        return row(event).status();
    }

    /** Whether no claim on the event is valid now. Changes nothing. */
    public boolean isFree(EventEnvelope event) {
        ClaimTerms terms = Claimer.terms(Claimer.BRIEF);
        boolean free = store.claimStore().claimOne(event.eventId(), terms);
        store.claimStore().release(Set.of(new Claim(event.eventId(), terms.token())));
        return free;
    }

    /** For tests with real threads: asks again until it is so, for a while. */
    public static void await(String what, BooleanSupplier happened) {
        Await.until(what, happened);
    }

    public static EventEnvelope event() {
        return Events.any();
    }

    public static EventEnvelope.Builder sample() {
        return Events.sample();
    }

    public static EventEnvelope ofKey(String key) {
        return Events.ofKey(key);
    }

    public static EventEnvelope ofBytes(int size) {
        return EventEnvelope.ofBytes(Events.TYPE, new byte[size]);
    }
}
