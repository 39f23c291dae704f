package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.operations.AuditEntry;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.Pause;

/** What the store in memory promises beyond the contract: to the tick, and in the order in which things happened. */
class InMemoryRelayTest {

    private static final Duration TICK = Duration.ofNanos(1_000);

    private final ManualTime time = new ManualTime();
    private final InMemoryStore fixture = new InMemoryStore(time);
    private final StoreUnderTest store = new StoreUnderTest(fixture);

    @Test
    void theHorizonIsTheNewestSeqOrJustBelowTheOldestThatIsOpen() {
        PartitionScan slots = store.partitions();
        assertThat(PartitionScan.upTo(slots.fetch(0))).isZero();
        List<StoreFixture.Session> open = new ArrayList<>();
        for (int n = 0; n < 50; n++) {
            StoreFixture.Session session = fixture.newSession();
            session.begin();
            session.store().store(Events.many(2), null);
            open.add(session);
        }
        assertThat(PartitionScan.upTo(slots.fetch(0))).isZero();

        open.get(1).commit();
        assertThat(PartitionScan.upTo(slots.fetch(0))).isZero();
        open.get(0).commit();
        assertThat(PartitionScan.upTo(slots.fetch(0))).isEqualTo(4);
        open.get(2).rollback();
        assertThat(PartitionScan.upTo(slots.fetch(0))).isEqualTo(6);
        open.subList(3, 50).forEach(StoreFixture.Session::commit);
        assertThat(PartitionScan.upTo(slots.fetch(0))).isEqualTo(100);
    }

    @Test
    void aMemberLivesUntilTheTickOfItsTimeout() {
        RelayNode witness = store.relayNode("witness");
        RelayNode node = store.relayNode("node");
        PartitionOwnership hold = node.acquire(0);
        fixture.clusterStore().heartbeat(Heartbeat.of(node.session(), Duration.ofSeconds(10)));

        time.advance(Duration.ofSeconds(10).minus(TICK));
        assertThat(witness.tryAcquire(0)).isEmpty();
        assertThat(fixture.clusterStore().forgetExpired(Duration.ZERO)).isEmpty();
        time.advance(TICK);

        assertThat(node.heartbeat()).isEmpty();
        assertThat(witness.partition(0)).isEqualTo(new ClusterView.PartitionState(0, hold.epoch(), null));
        assertThat(fixture.clusterStore().forgetExpired(TICK)).isEmpty();
        assertThat(fixture.clusterStore().forgetExpired(Duration.ZERO)).containsExactly("node");
        assertThat(witness.tryAcquire(0))
                .extracting(each -> each.ownership().epoch())
                .containsExactly(hold.epoch() + 1);
    }

    @Test
    void aDelayedEventIsDueFromItsTickOn() {
        PartitionScan slots = store.partitions();
        Instant due = time.instant().plusSeconds(5);
        EventEnvelope event = store.publish(Events.sample().availableAt(due).build());
        assertThat(slots.poll(null).nextDue()).isEqualTo(Duration.ofSeconds(5));

        time.advance(Duration.ofSeconds(5).minus(TICK));
        assertThat(slots.shows(event)).isFalse();
        assertThat(slots.poll(due.minusSeconds(5)).lanesDue()).isEmpty();
        time.advance(TICK);

        assertThat(slots.shows(event)).isTrue();
        assertThat(slots.poll(due.minus(TICK)).lanesDue()).containsExactly(RelayNode.hashOf(event));
        assertThat(slots.poll(due).lanesDue()).isEmpty();
        assertThat(slots.poll(due).nextDue()).isNull();
    }

    @Test
    void aRetryWaitsExactlyItsDelay() {
        EventEnvelope event = store.publish(Events.any());
        RelayNode.fail(store, event, Duration.ofSeconds(3));
        assertThat(store.partitions().read(event).untilDue()).isEqualTo(Duration.ofSeconds(3));

        time.advance(Duration.ofSeconds(1));
        assertThat(store.partitions().read(event).untilDue()).isEqualTo(Duration.ofSeconds(2));
        time.advance(Duration.ofSeconds(9));
        assertThat(store.partitions().read(event).untilDue()).isZero();
    }

    @Test
    void anUndelayedEventIsInOrderEvenWhenTheClockWasSetBack() {
        EventEnvelope event = store.publish(Events.any());
        time.jumpWallClock(Duration.ofHours(-1));

        assertThat(store.partitions().shows(event)).isTrue();
        assertThat(store.partitions().poll(null).nextDue()).isNull();
    }

    @Test
    void notesForPeopleWhatWasDoneAndByWhom() {
        RelayNode node = store.relayNode("node");
        node.release(node.acquire(4));
        Pause.Subject key = new Pause.Subject(Pause.Kind.KEY, "k");
        fixture.clusterAdmin().pause(key, "wait", "me");
        fixture.clusterAdmin().resume(key, "you");
        fixture.clusterAdmin().changeStrategy(ClaimStrategy.PRIMARY, "me");
        fixture.clusterAdmin().changePartitions(3, "me");
        fixture.clusterStore().repartition();

        assertThat(fixture.audit())
                .extracting(entry ->
                        String.join(", ", entry.who(), entry.action(), entry.subject(), String.valueOf(entry.detail())))
                .containsExactly(
                        node.session() + ", acquire, partition 4, epoch 1",
                        "me, hold, key k, wait",
                        "you, resume, key k, null",
                        "me, change strategy, outbox, partitioned to primary",
                        "me, change partitions, outbox, 6 to 3",
                        "catbox, renumber, outbox, to 3");
        assertThat(fixture.audit()).extracting(AuditEntry::at).containsOnly(time.instant());
    }

    @Test
    void askingForTheNumberOfPartitionsThereIsTakesAChangeBack() {
        RelayNode node = store.relayNode("node");
        fixture.clusterAdmin().changePartitions(3, "me");
        fixture.clusterAdmin().changePartitions(6, "me");

        assertThat(node.view().partitionsWanted()).isNull();
        assertThat(fixture.clusterStore().repartition()).isFalse();
    }

    @Test
    void refusesASessionThatJoinedBefore() {
        RelayNode node = store.relayNode("node");

        assertThatThrownBy(node::join).isInstanceOf(IllegalStateException.class).hasMessageContaining(node.session());
    }

    @Test
    void showsEveryEventWhateverBecameOfIt() {
        EventEnvelope done = store.publish(Events.any());
        EventEnvelope pending = store.publish(Events.any());
        RelayNode.settleAside(store, SettleItems.done(done));

        assertThat(Events.idsOf(fixture.events())).containsExactly(done.eventId(), pending.eventId());
        assertThat(fixture.events()).extracting(OutboxEvent::status).containsExactly(EventStatus.DONE, EventStatus.NEW);
    }
}
