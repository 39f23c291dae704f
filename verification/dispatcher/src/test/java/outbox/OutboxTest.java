package outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.model.EventStatus;
import outbox.spi.TimeSource;
import outbox.testkit.InMemoryStore;
import outbox.testkit.RecordingListener;
import outbox.testkit.StoreFixture;
import outbox.testkit.World;

/** A whole outbox with its threads, on the machine's own clocks. */
@Timeout(60)
class OutboxTest {

    private enum Shop implements EventType {
        ORDER_PLACED
    }

    private enum Things implements AggregateType {
        ORDER
    }

    private final InMemoryStore store = new InMemoryStore(TimeSource.SYSTEM);
    private final StoreFixture.Session session = store.newSession();
    private final RecordingListener listener = new RecordingListener();

    @Test
    void deliversWhatIsPublished() {
        try (Outbox outbox = builder().on(Shop.ORDER_PLACED, listener).build()) {
            EventEnvelope event = EventEnvelope.builder(Shop.ORDER_PLACED)
                    .aggregateType(Things.ORDER)
                    .aggregateId("1")
                    .payloadJson("{\"n\":1}")
                    .build();
            publish(outbox, event);
            awaitDone(List.of(event));

            assertThat(listener.events()).containsExactly(event);
            assertThat(listener.events())
                    .extracting(EventEnvelope::aggregateType)
                    .containsExactly("ORDER");
        }
    }

    @Test
    void triesAgainWhatFailedWithoutWaitingForTheNextPoll() {
        OutboxConfig config = new OutboxConfig().setPollerIntervalMs(86_400_000).setRetryBaseDelayMs(1);
        listener.failingWith(new Exception("1"), new Exception("2"));
        try (Outbox outbox = builder().config(config).onAll(listener).build()) {
            EventEnvelope event = World.event();
            publish(outbox, event);
            awaitDone(List.of(event));

            assertThat(listener.ids()).containsOnly(event.eventId()).hasSize(3);
        }
    }

    @Test
    void looksIntoTheStoreWhenItIsWoken() {
        OutboxConfig config = new OutboxConfig().setPollerIntervalMs(86_400_000).setPollerSkipRecentMs(0);
        try (Outbox outbox = builder().config(config).onAll(listener).build()) {
            EventEnvelope event = World.event();
            session.begin();
            OutboxClient.storeOnly(session.store()).publish(event);
            session.commit();
            outbox.wake();
            awaitDone(List.of(event));
        }
    }

    @Test
    void deliversByTheHotPathAloneWhenThePollerIsDisabled() {
        OutboxConfig config = new OutboxConfig().setPollerEnabled(false);
        try (Outbox outbox = builder().config(config).build()) {
            outbox.listeners().registerAll(listener);
            EventEnvelope event = World.event();
            publish(outbox, event);
            awaitDone(List.of(event));
        }
    }

    @Test
    void storesWhatIsPublishedAfterItWasClosed() {
        Outbox outbox = builder().onAll(listener).build();
        outbox.close();
        EventEnvelope event = World.event();
        publish(outbox, event);

        assertThat(outbox.dispatcher().isClosed()).isTrue();
        assertThat(statusOf(event)).isEqualTo(EventStatus.NEW);
    }

    private Outbox.Builder builder() {
        return Outbox.builder(session.store(), store.claimStore(), store.settleStore());
    }

    private void publish(Outbox outbox, EventEnvelope event) {
        session.begin();
        outbox.publish(event);
        session.commit();
    }

    private void awaitDone(List<EventEnvelope> events) {
        World.await(
                "all events are done", () -> events.stream().allMatch(event -> statusOf(event) == EventStatus.DONE));
    }

    private EventStatus statusOf(EventEnvelope event) {
        return store.operatorStore().find(event.eventId()).orElseThrow().status();
    }
}
