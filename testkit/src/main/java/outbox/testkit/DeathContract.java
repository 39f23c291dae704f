package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PartitionStore;

/** Owners of a slot that die are counted, and so are the deliveries that they had begun. */
interface DeathContract extends ContractPart {

    @Test
    default void countsOwnersThatDiedInARow() {
        RelayNode witness = underTest().relayNode("witness");

        for (int deaths = 0; deaths < 3; deaths++) {
            RelayNode node = underTest().relayNode("node-" + deaths);
            assertThat(deathsBefore(node, 2)).isEqualTo(deaths);
            node.expire(witness);
        }

        assertThat(deathsBefore(witness, 2)).isEqualTo(3);
        assertThat(deathsBefore(witness, 3)).isZero();
    }

    @Test
    default void anOwnerThatReleasesItsPartitionBeforeItOutlivedTheOthersEndsNoRow() {
        RelayNode witness = underTest().relayNode("witness");
        RelayNode mortal = underTest().relayNode("mortal");
        mortal.acquire(0);
        mortal.acquire(1);
        mortal.expire(witness);
        RelayNode heir = underTest().relayNode("heir");
        heir.release(heir.acquire(0));
        heir.acquire(1);
        heir.leave();

        assertThat(deathsBefore(witness, 0)).isEqualTo(1);
        assertThat(deathsBefore(witness, 1)).isEqualTo(1);
    }

    @Test
    default void anOwnerThatOutlivesItsPredecessorsEndsTheRow() {
        RelayNode witness = underTest().relayNode("witness");
        RelayNode mortal = underTest().relayNode("mortal");
        PartitionOwnership first = mortal.acquire(0);
        mortal.expire(witness);
        RelayNode heir = underTest().relayNode("heir");
        PartitionOwnership second = heir.acquire(0);

        cluster().outlived(first);
        heir.release(second);
        AcquiredPartition third = heir.tryAcquire(0).getFirst();
        assertThat(third.deaths())
                .as("behind an owner that is not one any more")
                .isEqualTo(1);

        cluster().outlived(third.ownership());
        heir.expire(witness);
        assertThat(deathsBefore(witness, 0)).isEqualTo(1);
    }

    @Test
    default void countsADeliveryThatIsBegunUntilItIsAnswered() {
        EventEnvelope begun = underTest().publish(Events.ofKey("key-0"));
        EventEnvelope other = underTest().publish(Events.ofKey("key-2"));
        PartitionOwnership hold = underTest().relayNode("node").acquire(0);

        assertThat(relay().mark(hold, Set.of(), Set.of(begun.eventId()))).isTrue();
        assertThat(deaths(begun)).isEqualTo(1);
        assertThat(relay().mark(hold, Set.of(), Set.of(begun.eventId()))).isTrue();
        assertThat(deaths(begun)).isEqualTo(2);
        assertThat(relay().mark(hold, Set.of(begun.eventId()), Set.of(begun.eventId(), other.eventId())))
                .isTrue();
        assertThat(deaths(begun)).isEqualTo(1);
        assertThat(deaths(other)).isEqualTo(1);
        assertThat(relay().mark(hold, Set.of(begun.eventId()), Set.of())).isTrue();
        assertThat(deaths(begun)).isZero();
        assertThat(underTest().row(begun).attempts()).isZero();
    }

    @Test
    default void showsDeathsToReadersOfThePartitionAndOfTheLane() {
        EventEnvelope event = underTest().publish(Events.ofKey("key-0"));
        PartitionOwnership hold = underTest().relayNode("node").acquire(0);
        relay().mark(hold, Set.of(), Set.of(event.eventId()));
        PartitionScan slots = underTest().partitions();

        assertThat(slots.fetch(0).events())
                .extracting(FetchedEvent::event)
                .extracting(OutboxEvent::deaths)
                .containsExactly(1);
        assertThat(slots.lane("key-0").events())
                .extracting(FetchedEvent::event)
                .extracting(OutboxEvent::deaths)
                .containsExactly(1);
    }

    @Test
    default void marksNothingForANodeThatDoesNotOwnThePartition() {
        RelayNode witness = underTest().relayNode("witness");
        RelayNode node = underTest().relayNode("node");
        EventEnvelope first = underTest().publish(Events.ofKey("key-0"));
        EventEnvelope second = underTest().publish(Events.ofKey("key-2"));
        PartitionOwnership lost = node.acquire(0);
        relay().mark(lost, Set.of(), Set.of(first.eventId()));
        node.expire(witness);
        witness.acquire(0);

        assertThat(relay().mark(lost, Set.of(first.eventId()), Set.of(second.eventId())))
                .isFalse();

        assertThat(deaths(first)).isEqualTo(1);
        assertThat(deaths(second)).isZero();
    }

    @Test
    default void aSettledEventHasNoDeaths() {
        List<EventEnvelope> events = underTest().publishAll(Events.many(4));
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership hold = node.acquire(0);
        relay().mark(hold, Set.of(), Set.copyOf(Events.ids(events)));

        node.settle(hold, SettleItems.done(events.get(0)));
        node.settle(
                hold,
                SettleItems.retry(events.get(1), 0, Duration.ZERO, "not yet"),
                SettleItems.postponed(events.get(2), 0, Duration.ZERO, "down"),
                SettleItems.dead(events.get(3), 0, "broken"));

        assertThat(events).extracting(this::deaths).containsOnly(0);
        relay().mark(
                        hold,
                        Set.of(),
                        Set.of(events.get(0).eventId(), events.get(3).eventId()));
        assertThat(deaths(events.get(0))).isZero();
        assertThat(deaths(events.get(3))).isZero();
    }

    private static int deathsBefore(RelayNode node, int slot) {
        return node.tryAcquire(slot).getFirst().deaths();
    }

    private int deaths(EventEnvelope event) {
        return underTest().row(event).deaths();
    }

    private ClusterStore cluster() {
        return underTest().fixture().clusterStore();
    }

    private PartitionStore relay() {
        return underTest().fixture().relayStore();
    }
}
