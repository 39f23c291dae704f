package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.spi.PublishStore;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.Selection;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;

/** The store under test, with the steps of which the contract is made. */
final class StoreUnderTest {

    private final StoreFixture fixture;

    StoreUnderTest(StoreFixture fixture) {
        this.fixture = fixture;
    }

    StoreFixture fixture() {
        return fixture;
    }

    Optional<OutboxEvent> find(String eventId) {
        return fixture.operatorStore().find(eventId);
    }

    /** Makes a settled event new again; leaves a pending one alone. */
    void replay(String eventId) {
        fixture.operatorStore().replay(new Selection.Ids(List.of(eventId)), null, 1, new OperatorAction("test", null));
    }

    /** Publishes in a transaction of its own. */
    EventEnvelope publish(EventEnvelope event) {
        publishAll(List.of(event));
        return event;
    }

    /** Publishes one batch in a transaction of its own. */
    List<EventEnvelope> publishAll(List<EventEnvelope> events) {
        return publishAll(events, null);
    }

    /** Publishes as a publisher does that hands over in memory: the rows are its own from the start. */
    List<EventEnvelope> publishAll(List<EventEnvelope> events, @Nullable ClaimTerms claim) {
        inTransaction(store -> store.store(events, claim));
        return events;
    }

    void inTransaction(Consumer<PublishStore> work) {
        try (StoreFixture.Session session = fixture.newSession()) {
            session.begin();
            work.accept(session.store());
            session.commit();
        }
    }

    boolean pauses(EventEnvelope event) {
        return find(event.eventId()).isPresent();
    }

    OutboxEvent row(EventEnvelope event) {
        return row(event.eventId());
    }

    OutboxEvent row(String eventId) {
        return find(eventId).orElseThrow(() -> new AssertionError("no event " + eventId + " is stored"));
    }

    /** A new dispatcher. */
    Claimer claimer() {
        return new Claimer(fixture);
    }

    /** A relay that has joined on the terms of a new store. */
    RelayNode relayNode(String nodeId) {
        return new RelayNode(fixture, RelayNode.TERMS, nodeId).join();
    }

    /** A look at the store with as many partitions as it has at first. */
    PartitionScan partitions() {
        return new PartitionScan(fixture.relayStore(), RelayNode.TERMS);
    }

    /** Gives the store another number of partitions, which nobody works on yet. */
    PartitionScan partitions(int partitions) {
        if (partitions != RelayNode.TERMS.partitions()) {
            fixture.clusterAdmin().changePartitions(partitions, "test");
            assertThat(fixture.clusterStore().repartition()).isTrue();
        }
        return new PartitionScan(fixture.relayStore(), new ClusterLayout(ClaimStrategy.PARTITIONED, partitions));
    }

    /** Publishes an event and makes it dead. */
    OutboxEvent publishDead(EventEnvelope event, String error) {
        publish(event);
        Claimer claimer = claimer();
        Held held = claimer.claimOnly();
        claimer.settle(held.dead(error));
        return row(event);
    }

    /** Publishes an event and settles it as done, after so many failures. */
    OutboxEvent publishDone(EventEnvelope event, int failures) {
        publish(event);
        Claimer claimer = claimer();
        for (int n = 0; n < failures; n++) {
            claimer.settle(claimer.claimOnly().retry(Duration.ZERO, "not yet"));
        }
        claimer.settle(claimer.claimOnly().done());
        return row(event);
    }
}
