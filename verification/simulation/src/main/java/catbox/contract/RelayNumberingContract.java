package catbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.model.Outcome;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.spi.relay.RelayStores;
import outbox.testkit.Await;
import outbox.testkit.Events;
import outbox.testkit.RecordingDestination;
import outbox.testkit.StoreFixture;

/**
 * A running relay delivers every event that is published after an operator has emptied the table, although those events get
 * numbers that earlier events had.
 */
public abstract class RelayNumberingContract {

    private static final String FIRST_KEY = "key-0";
    private static final String SECOND_KEY = "key-2";

    private @Nullable StoreFixture store;

    /** A store for one test, closed after it. It is as if new, with 6 partitions. */
    protected abstract StoreFixture openStore();

    @BeforeEach
    final void openFixture() {
        store = openStore();
    }

    @AfterEach
    final void closeFixture() {
        if (store != null) {
            store.close();
        }
    }

    @Test
    final void deliversWhatIsPublishedAfterTheTableWasEmptied() {
        RecordingDestination destination = new RecordingDestination();
        try (Relay relay = start(destination)) {
            awaitAllPartitions(relay);
            for (int round = 0; round < 3; round++) {
                List<EventEnvelope> events = publishSome(15 + round);
                Await.until("all are delivered", () -> destination.eventIds().containsAll(Events.ids(events)));
                fixture().empty();
                hasDeliveredInOrder(destination, events);
            }
        }
    }

    /**
     * The events that waited for a retry are gone, and the new events have their keys and may have their numbers. A key
     * continues at the latest when the retry of the removed event would be due.
     */
    @Test
    final void deliversWhatIsPublishedAfterTheTableWasEmptiedWhileItsKeysWaitedForARetry() {
        RecordingDestination destination = new RecordingDestination();
        try (Relay relay = start(destination)) {
            awaitAllPartitions(relay);
            List<EventEnvelope> delivered = publishSome(15);
            Await.until("all are delivered", () -> destination.eventIds().containsAll(Events.ids(delivered)));
            destination.answer(delivery -> new Outcome.Retryable("later", Duration.ofSeconds(2)));
            List<String> heads = Events.ids(publishSome(15).subList(0, 2));
            Await.until(
                    "both keys wait for their retry",
                    () -> heads.stream()
                            .noneMatch(head -> fixture().failedAttempts(head).isEmpty()));
            fixture().empty();
            destination.answer(delivery -> new Outcome.Delivered());
            List<EventEnvelope> after = publishSome(15);

            Await.until("all are delivered", () -> destination.eventIds().containsAll(Events.ids(after)));
            hasDeliveredInOrder(destination, after);
        }
    }

    private StoreFixture fixture() {
        if (store == null) {
            throw new IllegalStateException("no store is open: a test has not begun, or opening one failed");
        }
        return store;
    }

    private Relay start(RecordingDestination destination) {
        StoreFixture fixture = fixture();
        RelayStores stores = new RelayStores(fixture.relayStore(), fixture.clusterStore(), fixture.claimStore());
        return Relay.on(stores, RelayConfig.of("node"))
                .destination("there", destination)
                .build()
                .start();
    }

    private static void awaitAllPartitions(Relay relay) {
        Await.until(
                "the relay owns all partitions",
                () -> relay.status().partitions().size() == 6);
    }

    private static void hasDeliveredInOrder(RecordingDestination destination, List<EventEnvelope> events) {
        assertThat(destination.eventIds())
                .containsSubsequence(ofKey(FIRST_KEY, events))
                .containsSubsequence(ofKey(SECOND_KEY, events));
    }

    private List<EventEnvelope> publishSome(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> publish(Events.ofKey(n % 2 == 0 ? FIRST_KEY : SECOND_KEY)))
                .toList();
    }

    private EventEnvelope publish(EventEnvelope event) {
        try (StoreFixture.Session session = fixture().newSession()) {
            session.begin();
            OutboxClient.storeOnly(session.store()).publish(event);
            session.commit();
        }
        return event;
    }

    private static List<String> ofKey(String key, List<EventEnvelope> events) {
        return events.stream()
                .filter(event -> key.equals(event.orderingKey()))
                .map(EventEnvelope::eventId)
                .toList();
    }
}
