package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.model.ClaimTerms;
import outbox.spi.HotPath;
import outbox.testkit.StoreFixture;
import outbox.testkit.World;

class OutboxClientTest {

    private final World world = new World();
    private final StoreFixture.Session session = world.store.newSession();
    private final RecordingHotPath hotPath = new RecordingHotPath();
    private final OutboxClient client = new OutboxClient(session.store(), hotPath);

    @AfterEach
    void closeSession() {
        session.close();
    }

    @Test
    void refusesToPublishOutsideATransaction() {
        EventEnvelope event = World.event();

        assertThatThrownBy(() -> client.publish(event)).isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(() -> client.publishAll(List.of(event, World.event())))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("2 event(s)");
        assertThat(hotPath.prepared).isZero();
    }

    @Test
    void returnsTheIdAndHandsTheEventOverAfterTheCommit() {
        session.begin();
        EventEnvelope event = World.event();

        assertThat(client.publish(event)).isEqualTo(event.eventId());
        assertThat(hotPath.committed).isEmpty();
        session.commit();

        assertThat(hotPath.committed).containsExactly(event);
        assertThat(world.row(event).toEnvelope()).isEqualTo(event);
    }

    @Test
    void takesEveryEventThroughItsStepsBeforeItIsStoredAndHandedOver() {
        session.begin();
        EventEnvelope event = World.event();

        client.with(each -> each.withHeaders(Map.of("a", "1")))
                .with(each -> each.withHeaders(Map.of("a", each.headers().get("a") + "2")))
                .publish(event);
        session.commit();

        assertThat(world.row(event).toEnvelope().headers()).containsExactly(Map.entry("a", "12"));
        assertThat(hotPath.committed)
                .singleElement()
                .satisfies(handed -> assertThat(handed.headers()).containsExactly(Map.entry("a", "12")));
    }

    @Test
    void storesNothingWhenAStepFailsOrChangesTheId() {
        session.begin();
        EventEnvelope event = World.event();
        EventEnvelope other = World.event();

        assertThatThrownBy(() -> client.with(each -> other).publish(event))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("turned event " + event.eventId() + " into event " + other.eventId());
        session.commit();

        assertThat(world.store.operatorStore().find(event.eventId())).isEmpty();
        assertThat(world.store.operatorStore().find(other.eventId())).isEmpty();
        assertThat(hotPath.prepared).isZero();
    }

    @Test
    void handsNothingOverAfterARollback() {
        session.begin();
        client.publish(World.event());
        session.rollback();

        assertThat(hotPath.committed).isEmpty();
    }

    @Test
    void storesTheEventWithTheClaimOfTheHotPath() {
        hotPath.claim = new ClaimTerms("token", Duration.ofMinutes(1));
        session.begin();
        EventEnvelope event = World.event();
        client.publish(event);
        session.commit();

        assertThat(world.isFree(event)).isFalse();
        world.time.advance(Duration.ofMinutes(1));
        assertThat(world.isFree(event)).isTrue();
    }

    @Test
    void publishesManyInTheirOrder() {
        session.begin();
        List<EventEnvelope> events = List.of(World.event(), World.event(), World.event());

        assertThat(client.publishAll(events))
                .containsExactlyElementsOf(
                        events.stream().map(EventEnvelope::eventId).toList());
        session.commit();

        assertThat(hotPath.committed).containsExactlyElementsOf(events);
        assertThat(hotPath.prepared).isEqualTo(1);
    }

    @Test
    void publishesNothingWithoutATransactionWhenThereIsNothingToPublish() {
        assertThat(client.publishAll(List.of())).isEmpty();
    }

    @Test
    void refusesAnIdThatOccursTwiceInOneCall() {
        session.begin();
        EventEnvelope event = World.event();

        assertThatThrownBy(() -> client.publishAll(List.of(event, event)))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContaining(event.eventId());
        session.commit();
        assertThat(world.store.operatorStore().find(event.eventId())).isEmpty();
    }

    @Test
    void refusesAnIdThatIsStoredAndHandsNothingOver() {
        session.begin();
        EventEnvelope event = World.event();
        client.publish(event);
        session.commit();
        session.begin();

        assertThatThrownBy(() -> client.publish(event)).isInstanceOf(DuplicateEventException.class);
        session.commit();

        assertThat(hotPath.committed).containsExactly(event);
    }

    @Test
    void onlyStoresWhenSomethingElseDelivers() {
        session.begin();
        EventEnvelope event = World.event();
        OutboxClient.storeOnly(session.store()).publish(event);
        session.commit();

        assertThat(world.isFree(event)).isTrue();
        assertThat(hotPath.prepared).isZero();
    }

    private static final class RecordingHotPath implements HotPath {

        final List<EventEnvelope> committed = new ArrayList<>();
        int prepared;

        @Nullable
        ClaimTerms claim;

        @Override
        public Handover prepare() {
            prepared++;
            return new Handover() {
                @Override
                public @Nullable ClaimTerms claim() {
                    return claim;
                }

                @Override
                public void committed(List<EventEnvelope> events) {
                    committed.addAll(events);
                }
            };
        }
    }
}
