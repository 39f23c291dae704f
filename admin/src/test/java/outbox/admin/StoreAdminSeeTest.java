package outbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static outbox.admin.Source.ids;
import static outbox.admin.Source.subject;

import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import outbox.admin.Operation.Request;
import outbox.admin.view.EventView;
import outbox.admin.view.NodeView;
import outbox.admin.view.Overview;
import outbox.admin.view.PartitionView;
import outbox.admin.view.RouteView;
import outbox.internal.KeyHash;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventHistory;
import outbox.spi.relay.Pause.Kind;

/** What an operator sees of a source. */
class StoreAdminSeeTest {

    private final Source source = new Source();

    @Test
    void anOverviewTellsHowTheSourceStands() {
        source.node("node-1", 0, 1, 2, 3);
        source.publish();
        String dead = source.publish();
        String done = source.publish();
        source.die(dead, "broken");
        source.time.advance(Duration.ofSeconds(5));
        source.done(done);
        source.store.clusterAdmin().pause(subject(Kind.KEY, "k"), "wait", "bert");

        Overview overview = source.admin().run(new Request.Overview());

        assertThat(overview.pending()).isEqualTo(new BoundedCount(1, false));
        assertThat(overview.oldestPendingAge()).isEqualTo(Duration.ofSeconds(5));
        assertThat(overview.dead()).isEqualTo(new BoundedCount(1, false));
        assertThat(overview.latencies()).hasSize(1);
        assertThat(overview.nodes()).isEqualTo(1);
        assertThat(overview.partitions()).isEqualTo(6);
        assertThat(overview.partitionsWithoutOwner()).isEqualTo(2);
        assertThat(overview.holds()).hasSize(1);
    }

    @Test
    void nodesAndPartitionsShowWhoHasWhat() {
        source.node("node-1", 0, 1);
        source.time.advance(Source.TIMEOUT);
        source.node("node-2", 1, 3);
        source.store.clusterAdmin().pause(subject(Kind.NODE, "node-2"), "upgrade", "bert");
        source.store.clusterAdmin().pause(subject(Kind.PARTITION, "5"), "wait", "bert");

        List<NodeView> nodes = source.admin().run(new Request.Nodes());
        List<PartitionView> partitions = source.admin().run(new Request.Partitions());

        assertThat(nodes).extracting(NodeView::nodeId).containsExactly("node-1", "node-2");
        assertThat(nodes).extracting(NodeView::alive).containsExactly(false, true);
        assertThat(nodes).extracting(NodeView::drained).containsExactly(false, true);
        assertThat(nodes).extracting(NodeView::heartbeatAge).containsExactly(Source.TIMEOUT, Duration.ZERO);
        assertThat(nodes).extracting(NodeView::partitions).containsExactly(List.of(), List.of(1, 3));
        assertThat(partitions)
                .extracting(PartitionView::owner)
                .containsExactly(null, "node-2", null, "node-2", null, null);
        assertThat(partitions.get(1).ownedSince()).isEqualTo(source.now());
        assertThat(partitions.get(0).ownedSince())
                .as("of an owner that is gone")
                .isNull();
        assertThat(partitions)
                .extracting(PartitionView::onHold)
                .containsExactly(false, false, false, false, false, true);
    }

    @Test
    void anEventIsShownWithItsWholeHistoryAndWithoutItsPayload() {
        source.nodeWithAll("node-1");
        String id = source.publish("k");
        source.fail(id, Duration.ZERO, "first");
        source.die(id, "second");
        source.admin().run(new Request.Replay(ids(id), false, "repaired"));

        EventView view = source.admin().run(new Request.Event(id));

        assertThat(view.event().eventId()).isEqualTo(id);
        assertThat(view.partition()).isEqualTo(KeyHash.of("k") % 6);
        assertThat(view.payloadBytes()).isEqualTo(7);
        assertThat(view.attempts())
                .extracting(EventHistory.FailedAttempt::error)
                .containsExactly("first", "second");
        assertThat(view.acts()).hasSize(1);
        assertThat(view.edited()).isFalse();
        assertThat(view.toString()).doesNotContain("\"a\"");
    }

    @Test
    void anEventIsShownWithWhereItHasArrived() {
        source.nodeWithAll("node-1");
        FakeRelay relay = new FakeRelay();
        source.live = relay;
        String id = source.publish("k");
        EventView.Arrival arrival =
                new EventView.Arrival("node-1", "kafka", "orders, partition 3, offset 7", source.now());
        relay.arrivals.put(id, arrival);

        assertThat(source.admin().run(new Request.Event(id)).arrival()).isEqualTo(arrival);
    }

    @Test
    void saysInWordsWhereAnEventStands() {
        source.nodeWithAll("node-1");
        String done = source.publish("a");
        source.done(done);
        String late = source.publish("b");
        source.fail(late, Duration.ZERO, "not yet");
        source.done(late);
        String dead = source.publish("c");
        source.fail(dead, Duration.ZERO, "not yet");
        source.dieAndHalt(dead, "refused", "c");
        String discarded = source.publish("d");
        source.die(discarded, "refused");
        source.admin().run(new Request.Discard(ids(discarded), false, "a test order"));
        String retry = source.publish("e");
        source.fail(retry, Duration.ofMinutes(1), "not yet");
        String behind = source.publish("e");
        String delayed =
                source.publish(builder -> builder.availableAt(source.now().plusSeconds(30)));
        String plain = source.publish();

        assertThat(explanation(done)).startsWith("It was delivered at 2026-01-01T00:00:00Z, with the first attempt.");
        assertThat(explanation(late)).startsWith("It was delivered at 2026-01-01T00:00:00Z, after 1 failed attempt.");
        assertThat(explanation(dead))
                .startsWith("It was given up at 2026-01-01T00:00:00Z (0 ms ago) after 2 attempts. Last error: refused."
                        + " Nothing more happens by itself: repair the cause and replay it, change and replay it, or"
                        + " discard it. Key c is on hold");
        assertThat(explanation(discarded)).isEqualTo("It was discarded by anna, not delivered; why: a test order.");
        assertThat(explanation(retry))
                .isEqualTo("It has failed once and is tried again at 2026-01-01T00:01:00Z (in 1 min 0 s). Last error:"
                        + " not yet.");
        assertThat(explanation(behind))
                .startsWith(
                        "It waits to be delivered since 2026-01-01T00:00:00Z (0 ms ago). 1 event is before it in its"
                                + " lane, first " + retry + ". Event " + retry + " has failed once and is tried again");
        assertThat(explanation(delayed)).startsWith("It is to be delivered not before 2026-01-01T00:00:30Z (in 30 s).");
        assertThat(explanation(plain)).isEqualTo("It waits to be delivered since 2026-01-01T00:00:00Z (0 ms ago).");
    }

    @Test
    void anEventThatItsRouteDropsIsNotSaidToBeDelivered() {
        source.nodeWithAll("node-1");
        String done = source.publish("a");
        source.done(done);
        assertThat(explanation(done))
                .endsWith("If a route drops events like it, it was not delivered; only a running" + " server knows.");
        FakeRelay relay = new FakeRelay();
        source.live = relay;
        assertThat(explanation(done)).isEqualTo("It was delivered at 2026-01-01T00:00:00Z, with the first attempt.");
        relay.routes.clear();
        relay.routes.add(
                new RouteView("noise", "every event", List.of(), "nobody wants it", 1, false, true, List.of()));

        assertThat(explanation(done))
                .isEqualTo("It was done at 2026-01-01T00:00:00Z without being delivered: route noise drops events like"
                        + " it (nobody wants it), if it did so then.");
    }

    @Test
    void anEventThatWasDiscardedReplayedAndDeliveredIsDelivered() {
        source.nodeWithAll("node-1");
        String id = source.publish("a");
        source.die(id, "refused");
        source.admin().run(new Request.Discard(ids(id), false, "a test order"));
        source.admin().run(new Request.Replay(ids(id), false, "it was none"));
        source.done(id);

        assertThat(explanation(id)).startsWith("It was delivered at ");
    }

    @Test
    void wherePeopleClaimByLeaseNoEventWaitsForAnother() {
        source.nodeByLease("node-1");
        String first = source.publish("k");
        String second = source.publish("k");
        source.fail(first, Duration.ofMinutes(1), "not yet");

        assertThat(explanation(second)).isEqualTo("It waits to be delivered since 2026-01-01T00:00:00Z (0 ms ago).");
        assertThat(source.admin().run(new Request.Key("k")).reasons())
                .singleElement()
                .asString()
                .contains("has failed once and is tried again at")
                .doesNotContain("everything behind it waits");
        source.admin().run(new Request.Drain("node-1", "upgrade"));
        assertThat(source.admin().run(new Request.Key("k")).reasons())
                .anyMatch(reason -> reason.startsWith("Every live node is drained (node-1)"));
    }

    @Test
    void saysWhenALaneIsLongerThanWhatIsShown() {
        source.nodeWithAll("node-1");
        for (int n = 0; n < 100; n++) {
            source.publish("k");
        }
        assertThat(source.admin().run(new Request.Key("k")).pending()).hasSize(100);
        assertThat(source.admin().run(new Request.Key("k")).more())
                .as("exactly as many")
                .isFalse();

        source.publish("k");
        String last = source.publish("k");

        assertThat(source.admin().run(new Request.Key("k")).pending()).hasSize(100);
        assertThat(source.admin().run(new Request.Key("k")).more()).isTrue();
        assertThat(explanation(last)).contains(" At least 101 events are before it in its lane");
    }

    @Test
    void textIsNotCutInTheMiddleOfACharacter() {
        assertThat(Phrases.cut("abc", 3)).isEqualTo("abc");
        assertThat(Phrases.cut("abcd", 3)).isEqualTo("abc");
        assertThat(Phrases.cut("ab\uD83D\uDE3A", 3)).isEqualTo("ab");
        assertThat(Phrases.cut("ab\uD83D\uDE3A", 4)).isEqualTo("ab\uD83D\uDE3A");
        assertThat(ErrorShape.of("x".repeat(299) + "\uD83D\uDE3Aabc")).isEqualTo("x".repeat(299) + "*");
    }

    private String explanation(String eventId) {
        return source.admin().run(new Request.Event(eventId)).explanation();
    }

    @Test
    void whatIsNotThereIsSaidSo() {
        assertThatThrownBy(() -> source.admin().run(new Request.Event("no-such")))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("there is no event no-such");
        assertThatThrownBy(() -> source.admin().run(new Request.Reveal("no-such")))
                .isInstanceOf(NoSuchElementException.class);
        assertThat(source.annasActs()).isEmpty();
    }

    @Test
    void besideAStoreAloneThereAreNoDestinationsRoutesOrSending() {
        assertThatThrownBy(() -> source.admin().run(new Request.Destinations()))
                .isInstanceOf(NeedsServerException.class)
                .hasMessageContaining("\"destinations\" needs a running server");
        assertThatThrownBy(() -> source.admin().run(new Request.Routes(null))).isInstanceOf(NeedsServerException.class);
        assertThatThrownBy(() -> source.admin()
                        .run(new Request.Resend(source.now(), source.now().plusSeconds(1), null, "kafka", null, false)))
                .isInstanceOf(NeedsServerException.class);
        source.live = new FakeRelay();
        assertThat(source.admin().run(new Request.Destinations())).hasSize(1);
        assertThat(source.admin().run(new Request.Routes(null))).hasSize(1);
    }
}
