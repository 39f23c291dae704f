package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import outbox.EventEnvelope;
import outbox.internal.Ulids;

/** Claimers that race for the events of a few keys, and note in which order each key was delivered. */
final class KeyRace {

    private static final int KEYS = 3;

    private final StoreUnderTest store;
    private final List<EventEnvelope> events;
    private final Map<String, String> holders = new ConcurrentHashMap<>();
    private final Map<String, List<String>> delivered = new ConcurrentHashMap<>();
    private final AtomicInteger settled = new AtomicInteger();

    KeyRace(StoreUnderTest store, int count) {
        this.store = store;
        this.events = IntStream.range(0, count)
                .mapToObj(n -> Events.ofKey("key-" + n % KEYS))
                .toList();
    }

    /** Each event in a transaction of its own, so that each commits before the next is inserted. */
    void publish() {
        events.forEach(store::publish);
    }

    /** One claimer: delivers until everything is settled. */
    void work() {
        Claimer claimer = store.keyClaimer();
        String name = Ulids.SYSTEM.next();
        Await.until("all events are settled", () -> {
            claimer.claim(2).forEach(held -> deliver(claimer, held, name));
            return settled.get() >= events.size();
        });
    }

    private void deliver(Claimer claimer, Held held, String name) {
        String key = String.valueOf(held.event().orderingKey());
        assertThat(holders.putIfAbsent(key, name)).as("who else holds %s", key).isNull();
        delivered.computeIfAbsent(key, k -> new CopyOnWriteArrayList<>()).add(held.id());
        // Before the settlement: from then on another claimer may hold the key.
        holders.remove(key);
        settled.addAndGet(claimer.settle(held.done()));
    }

    void assertOrderKept() {
        for (int n = 0; n < KEYS; n++) {
            String key = "key-" + n;
            List<String> published = events.stream()
                    .filter(event -> key.equals(event.orderingKey()))
                    .map(EventEnvelope::eventId)
                    .toList();
            assertThat(delivered.get(key)).as("order of %s", key).containsExactlyElementsOf(published);
        }
    }
}
