package outbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.admin.Source.subject;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.admin.Operation.Request;
import outbox.admin.view.KeyView;
import outbox.internal.KeyHash;
import outbox.spi.operations.EventSummary;
import outbox.spi.relay.Member;
import outbox.spi.relay.Pause.Kind;

/** A key's page says why it does not move, and what to do. */
class LaneExplanationTest {

    // Two keys with one hash.
    private static final String KEY = "ef6878a58b";
    private static final String TWIN = "8bd42f28ce";

    private final Source source = new Source();
    private final Member node = source.nodeWithAll("node-1");

    private List<String> reasons() {
        return source.admin().run(new Request.Key(KEY)).reasons();
    }

    @Test
    void aLaneWithNothingInItsWayHasNoReasons() {
        source.publish(KEY);

        assertThat(reasons()).isEmpty();
    }

    @Test
    void showsTheLaneWithItsPartitionAndOwner() {
        String dead = source.publish(KEY);
        String first = source.publish(KEY);
        String second = source.publish(KEY);
        source.publish("another");
        source.die(dead, "broken");

        KeyView view = source.admin().run(new Request.Key(KEY));

        assertThat(view.partition()).isEqualTo(KeyHash.of(KEY) % 6);
        assertThat(view.owner()).isEqualTo("node-1");
        assertThat(view.pending()).extracting(EventSummary::eventId).containsExactly(first, second);
        assertThat(view.more()).isFalse();
        assertThat(view.dead()).extracting(EventSummary::eventId).containsExactly(dead);
        assertThat(view.reasons()).isEmpty();
    }

    @Test
    void saysThatTheFirstEventWaitsForItsRetry() {
        String first = source.publish(KEY);
        source.publish(KEY);
        source.fail(first, Duration.ofMinutes(4), "connection refused");

        assertThat(reasons())
                .containsExactly("Event " + first + " has failed once and is tried again at 2026-01-01T00:04:00Z (in"
                        + " 4 min 0 s); everything behind it waits, to keep the order. Last error: connection refused."
                        + " Repair what the error says; the next attempt comes by itself.");
    }

    @Test
    void saysThatEveryEventIsDelayed() {
        source.publish(
                builder -> builder.orderingKey(KEY).availableAt(source.now().plus(Duration.ofDays(2))));
        String sooner = source.publish(
                builder -> builder.orderingKey(KEY).availableAt(source.now().plus(Duration.ofDays(1))));

        assertThat(reasons())
                .containsExactly("Event " + sooner + " was published to be delivered not before 2026-01-02T00:00:00Z"
                        + " (in 1 d 0 h). There is nothing to do until then.");
    }

    @Test
    void saysThatAnEventOfAnotherKeyWithTheSameHashComesFirst() {
        String first = source.publish(TWIN);
        source.publish(KEY);
        source.fail(first, Duration.ofMinutes(1), "no");

        assertThat(reasons()).hasSize(2);
        assertThat(reasons().get(0))
                .startsWith("Event " + first + " of another key, " + TWIN + ", comes first:")
                .endsWith("Look at key " + TWIN + ".");
        assertThat(reasons().get(1)).startsWith("Event " + first + " has failed once");
        assertThat(source.admin().run(new Request.Key(KEY)).pending())
                .extracting(EventSummary::key)
                .containsExactly(KEY);
    }

    @Test
    void saysThatTheKeyIsOnHoldAndByWhom() {
        source.publish(KEY);
        source.store.clusterAdmin().pause(subject(Kind.KEY, KEY), "customer called", "bert");

        assertThat(reasons())
                .containsExactly("Key " + KEY + " is on hold since 2026-01-01T00:00:00Z, by bert: customer called."
                        + " Resume key " + KEY + " to let events go on.");
        assertThat(source.admin().run(new Request.Key(KEY)).hold()).isNotNull();
    }

    @Test
    void saysThatADeadEventHasStoppedTheKey() {
        String first = source.publish(KEY);
        source.publish(KEY);
        source.dieAndHalt(first, "broken", KEY);

        assertThat(reasons())
                .containsExactly("Key " + KEY + " is on hold since 2026-01-01T00:00:00Z because its event " + first
                        + " is dead, and this source stops a key whose event has died. Replay or discard that event,"
                        + " then resume the key.");
    }

    @Test
    void saysThatAKeyWithTheSameHashIsOnHold() {
        source.publish(KEY);
        source.store.clusterAdmin().pause(subject(Kind.KEY, TWIN), "wait", "bert");

        assertThat(reasons()).hasSize(1);
        assertThat(reasons().get(0))
                .startsWith("Another key, " + TWIN + ", has the same hash")
                .contains("Resume key");
    }

    @Test
    void saysThatSourceAndPartitionAreOnHoldAndNamesTheSourceFirst() {
        source.publish(KEY);
        String partition = Integer.toString(KeyHash.of(KEY) % 6);
        source.store.clusterAdmin().pause(subject(Kind.PARTITION, partition), "wait", "bert");
        source.store.clusterAdmin().pause(subject(Kind.PARTITION, "" + (KeyHash.of(KEY) + 1) % 6), "wait", "bert");
        source.store.clusterAdmin().pause(subject(Kind.SOURCE, ""), "maintenance", "bert");

        assertThat(reasons()).hasSize(2);
        assertThat(reasons().get(0)).startsWith("The source is on hold").contains("maintenance");
        assertThat(reasons().get(1)).startsWith("Partition " + partition + " is on hold");
    }

    @Test
    void saysThatNobodyIsAlive() {
        source.publish(KEY);
        source.time.advance(Source.TIMEOUT);

        assertThat(reasons())
                .containsExactly("No relay is alive. Start one, or see in the log of the last one why it stopped.");
    }

    @Test
    void saysThatNoRelayHasEverWorkedHere() {
        Source untouched = new Source();
        untouched.publish(KEY);

        assertThat(untouched.admin().run(new Request.Key(KEY)).reasons()).hasSize(1);
        assertThat(untouched.admin().run(new Request.Key(KEY)).reasons().get(0))
                .startsWith("No relay has ever worked on this table.");
        assertThat(untouched.admin().run(new Request.Key(KEY)).partition()).isNull();
    }

    @Test
    void saysThatThePartitionHasNoOwner() {
        source.publish(KEY);
        source.time.advance(Source.TIMEOUT);
        source.node("node-2");

        assertThat(reasons()).hasSize(1);
        assertThat(reasons().get(0)).startsWith("Partition " + KeyHash.of(KEY) % 6 + " has no owner just now.");
    }

    @Test
    void saysThatTheOwnersHeartbeatIsLate() {
        source.publish(KEY);
        source.time.advance(Duration.ofSeconds(20));

        assertThat(reasons())
                .containsExactly("Node node-1 owns partition " + KeyHash.of(KEY) % 6 + " and has not been heard of for"
                        + " 20 s: it is stopped, frozen or cut off from the database. If it stays silent, another node"
                        + " takes over at 2026-01-01T00:00:30Z (in 10 s).");
        source.beat(node);
        assertThat(reasons()).isEmpty();
    }

    @Test
    void saysThatTheOwnerIsBeingDrained() {
        source.publish(KEY);
        source.node("node-2");
        source.admin().run(new Request.Drain("node-1", "upgrade"));

        assertThat(reasons()).hasSize(1);
        assertThat(reasons().get(0)).startsWith("Node node-1 is being drained and hands over partition");
    }

    @Test
    void saysThatEveryNodeIsDrained() {
        source.publish(KEY);
        source.admin().run(new Request.Drain("node-1", "upgrade"));

        assertThat(reasons())
                .containsExactly(
                        "Every live node is drained or has weight 0 (node-1), so nobody delivers. Resume a node.");
    }

    @Test
    void saysThatTheNumberOfPartitionsIsChanging() {
        source.publish(KEY);
        source.store.clusterAdmin().changePartitions(9, "bert");
        source.store.clusterStore().leave(node.session());
        source.node("node-2");

        assertThat(reasons()).hasSize(1);
        assertThat(reasons().get(0)).startsWith("The cluster is changing to 9 partitions:");
    }

    @Test
    void saysWhatTheDestinationOfTheFirstEventIsUpTo() {
        FakeRelay relay = new FakeRelay();
        source.live = relay;
        source.publish(KEY);
        relay.destination("elsewhere", "down", true, "not ours");
        assertThat(reasons()).isEmpty();

        relay.destination("kafka", "down", false, "broker 7 is gone");
        assertThat(reasons())
                .containsExactly("Destination kafka is unavailable since 1970-01-01T00:00:00Z; it is probed every few"
                        + " seconds. Last error: broker 7 is gone. Delivery resumes automatically once it answers.");

        relay.destination("kafka", "up", true, null);
        assertThat(reasons())
                .containsExactly("The server's configuration pauses destination kafka. Change it there to let events go"
                        + " on.");

        source.store.clusterAdmin().pause(subject(Kind.DESTINATION, "kafka"), "moving", "bert");
        assertThat(reasons()).hasSize(1);
        assertThat(reasons().get(0)).startsWith("Destination kafka is on hold").contains("by bert: moving");
    }

    @Test
    void saysThatNoRouteTakesTheFirstEventOrThatItsRouteIsOnHold() {
        FakeRelay relay = new FakeRelay();
        source.live = relay;
        String first = source.publish(builder -> builder.orderingKey(KEY).header("region", "eu"));

        relay.route("all", false, false);
        assertThat(reasons())
                .containsExactly("No route takes event " + first
                        + " of type OrderPlaced: it waits until one does. Add a route for it.");
        assertThat(relay.lastSample).isNotNull();
        assertThat(relay.lastSample.headers()).containsEntry("region", "eu");

        relay.route("all", true, true);
        assertThat(reasons()).hasSize(1);
        assertThat(reasons().get(0)).contains("pauses route all");
    }

    @Test
    void besideAStoreAloneSaysWhichHoldsItMayWaitFor() {
        source.publish(KEY);
        source.store.clusterAdmin().pause(subject(Kind.DESTINATION, "kafka"), "moving", "bert");

        assertThat(reasons()).hasSize(1);
        assertThat(reasons().get(0))
                .startsWith("Destination kafka is on hold")
                .endsWith("Whether this event goes that way, only a running server knows.");
    }

    @Test
    void saysThatNothingIsKnownOfAnEventThatIsDueForLong() {
        String first = source.publish(KEY);
        source.time.advance(Duration.ofMinutes(3));
        source.nodeWithAll("node-2");

        assertThat(reasons()).hasSize(1);
        assertThat(reasons().get(0))
                .startsWith("Event " + first + " has been due since 2026-01-01T00:00:00Z (3 min 0 s ago), and nothing");
    }
}
