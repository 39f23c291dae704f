package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.testkit.OperatorUnderTest.in;
import static outbox.testkit.OperatorUnderTest.matching;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.Selection;
import outbox.spi.relay.PartitionOwnership;

/** Settled events can be made new again, each once, and who did it is known from then on. */
interface ReplayContract extends OperatorPart {

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"DONE", "DEAD"})
    default void replaysASettledEventAsIfItWereNew(State state) {
        EventEnvelope event = operator().events().publish(Events.any());
        RelayNode.fail(operator().events(), event, Duration.ZERO);
        RelayNode.settleAside(
                operator().events(),
                state == State.DONE ? SettleItems.done(event) : SettleItems.dead(event, 1, "broken"));

        assertThat(operator().replay(OperatorUnderTest.ids(event.eventId()), 10))
                .containsExactly(event.eventId());

        OutboxEvent row = operator().events().row(event);
        assertThat(row.status()).isEqualTo(EventStatus.NEW);
        assertThat(row.attempts()).isZero();
        assertThat(row.state().doneAt()).isNull();
        assertThat(row.state().lastError()).isNull();
        assertThat(row.toEnvelope()).isEqualTo(event);
        assertThat(operator().list(in(State.PENDING))).containsExactly(event.eventId());
    }

    @Test
    default void aReplayedEventIsDeliveredInItsOldPlace() {
        EventEnvelope first = Events.ofKey("k");
        operator().publish(first, State.DONE, "");
        EventEnvelope second = Events.ofKey("k");
        operator().publish(second, State.PENDING, "");
        PartitionScan slots = operator().events().partitions();

        operator().replay(OperatorUnderTest.ids(first.eventId()), 10);

        assertThat(PartitionScan.ids(slots.lane("k").events())).containsExactly(first.eventId(), second.eventId());
        RelayNode.settleAside(operator().events(), SettleItems.done(first));
        assertThat(operator().events().row(first).status()).isEqualTo(EventStatus.DONE);
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"DONE", "DEAD"})
    default void aSettlementThatIsRepeatedAfterAReplayChangesNothing(State state) {
        EventEnvelope event = operator().events().publish(Events.any());
        RelayNode relay = operator().events().relayNode("relay");
        PartitionOwnership hold = relay.acquire(0);
        SettleItem item = state == State.DONE ? SettleItems.done(event) : SettleItems.dead(event, 0, "broken");
        relay.settle(hold, item); // The reply is lost.
        operator().replay(OperatorUnderTest.ids(event.eventId()), 10);
        EventState replayed = operator().events().row(event).state();

        assertThat(relay.settle(hold, item)).isZero();
        assertThat(relay.settle(hold, SettleItems.retry(event, 0, Duration.ZERO, "late")))
                .isZero();
        acknowledge(hold, event);

        assertThat(operator().events().row(event).state()).isEqualTo(replayed);
        assertThat(operator().store().history(event.eventId()).acknowledged()).isEmpty();
        assertThat(operator().store().history(event.eventId()).attempts()).hasSize(state == State.DONE ? 0 : 1);
    }

    private void acknowledge(PartitionOwnership hold, EventEnvelope event) {
        Acknowledgement late = new Acknowledgement(new Claim(event.eventId(), hold.token()), "here");
        operator()
                .events()
                .fixture()
                .relayStore()
                .settle(new SettleRequest(
                        new SettleRequest.Fence.Ownership(hold),
                        "relay",
                        List.of(),
                        SettleRequest.DoneRows.KEEP,
                        List.of(late),
                        false));
    }

    @Test
    default void settlesEventsThatWereReplayedBesideOthers() {
        EventEnvelope twice = operator().events().publish(Events.any());
        EventEnvelope never = operator().events().publish(Events.any());
        for (int replays = 0; replays < 2; replays++) {
            RelayNode.settleAside(operator().events(), SettleItems.done(twice));
            operator().replay(OperatorUnderTest.ids(twice.eventId()), 10);
        }
        OutboxEvent read = operator().events().row(twice);
        assertThat(read.state().replays()).isEqualTo(2);
        RelayNode relay = operator().events().relayNode("relay");

        assertThat(relay.settle(
                        relay.acquire(0), SettleItems.of(read, SettleItems.done(twice)), SettleItems.done(never)))
                .isEqualTo(2);

        assertThat(operator().events().row(twice).status()).isEqualTo(EventStatus.DONE);
        assertThat(operator().events().row(never).status()).isEqualTo(EventStatus.DONE);
    }

    @Test
    default void relaysLearnOfAReplayedEvent() {
        PartitionScan slots = operator().events().partitions();
        EventEnvelope event = Events.ofKey("k");
        operator().publish(event, State.DONE, "");
        Instant before = slots.now();
        slots.awaitAfter(before);

        operator().replay(OperatorUnderTest.ids(event.eventId()), 10);

        assertThat(slots.poll(before).lanesDue()).containsExactly(RelayNode.hashOf(event));
    }

    @Test
    default void leavesPendingEventsAlone() {
        String fresh = operator().publish(1, State.PENDING).get(0);
        String retry = operator().publish(1, State.RETRY).get(0);
        OutboxEvent before = operator().events().row(retry);

        for (Selection selection : List.of(
                OperatorUnderTest.ids(fresh, retry, "no such event"),
                matching(EventFilter.ALL),
                matching(in(State.RETRY)),
                matching(in(State.PENDING)))) {
            assertThat(operator().store().count(selection, 10)).isEqualTo(new BoundedCount(0, false));
            assertThat(operator().replay(selection, 10)).isEmpty();
        }

        assertThat(operator().events().row(retry)).isEqualTo(before);
        assertThat(operator().acts()).as("nothing was done").isEmpty();
    }

    @Test
    default void replayingAgainChangesNothing() {
        List<String> dead = operator().publish(2, State.DEAD);
        Selection both = new Selection.Ids(dead);
        operator().replay(both, 10);
        List<EventState> before =
                dead.stream().map(id -> operator().events().row(id).state()).toList();

        assertThat(operator().replay(both, 10)).isEmpty();

        assertThat(dead.stream().map(id -> operator().events().row(id).state()).toList())
                .isEqualTo(before);
        assertThat(operator().acts()).hasSize(1);
    }

    @Test
    default void replaysWhatMatchesAndNoMoreThanAsked() {
        for (int n = 0; n < 3; n++) {
            operator().publish(Events.any(), State.DEAD, "refused by 10.0.0." + n);
            operator().publish(Events.any(), State.DEAD, "another");
        }
        Selection refused = matching(in(State.DEAD).withError("refused by *"));

        assertThat(operator().store().count(refused, 2)).isEqualTo(new BoundedCount(2, true));
        assertThat(operator().store().count(refused, 3)).isEqualTo(new BoundedCount(3, false));
        assertThat(operator().replay(refused, 2)).hasSize(2).isSorted();
        assertThat(operator().store().count(refused, 10)).isEqualTo(new BoundedCount(1, false));
        assertThat(operator().replay(refused, 2)).hasSize(1);
        assertThat(operator().replay(refused, 2)).isEmpty();

        assertThat(operator().list(in(State.DEAD).withError("another"))).hasSize(3);
        assertThat(operator().list(in(State.PENDING))).hasSize(3);
    }

    @Test
    default void aReplayOfDeadEventsLeavesDoneOnesAlone() {
        String done = operator().publish(1, State.DONE).get(0);
        String dead = operator().publish(1, State.DEAD).get(0);
        OutboxEvent before = operator().events().row(done);

        assertThat(operator().store().count(matching(in(State.DEAD)), 10)).isEqualTo(new BoundedCount(1, false));
        assertThat(operator().replay(matching(in(State.DEAD)), 10)).containsExactly(dead);

        assertThat(operator().events().row(done)).isEqualTo(before);
    }

    @Test
    default void withoutAStateReplaysDeadAndDone() {
        String dead = operator().publish(1, State.DEAD).get(0);
        String done = operator().publish(1, State.DONE).get(0);
        operator().publish(1, State.PENDING);

        assertThat(operator().store().count(matching(EventFilter.ALL), 10)).isEqualTo(new BoundedCount(2, false));
        assertThat(operator().replay(matching(EventFilter.ALL), 10)).containsExactly(dead, done);
    }

    @Test
    default void writesOneEntryForAllAndFindsItFromEach() {
        List<String> dead = operator().publish(2, State.DEAD);
        String done = operator().publish(1, State.DONE).get(0);
        String untouched = operator().publish(Events.ofType("Other"), State.DONE, "");
        Selection chosen = matching(EventFilter.ALL.withEventType(Events.TYPE));

        operator().replay(chosen, 10);

        AuditEntry entry = operator().lastAct();
        assertThat(operator().acts()).hasSize(1);
        assertThat(entry.action()).isEqualTo("replay");
        assertThat(entry.subject()).isEqualTo("all events of type " + Events.TYPE);
        assertThat(entry.detail())
                .isEqualTo("before: 2 dead and 1 done; after: new, with no attempts; why: because of a cat");
        for (String id : List.of(dead.get(0), dead.get(1), done)) {
            assertThat(operator().store().history(id).acts()).containsExactly(entry);
        }
        assertThat(operator().store().history(untouched).acts()).isEmpty();
    }

    @Test
    default void namesTheEventOfAnActOnOne() {
        String id = operator().publish(1, State.DEAD).get(0);

        operator().replay(OperatorUnderTest.ids(id, "no such event"), 10);

        assertThat(operator().lastAct().subject()).isEqualTo(id);
    }

    @Test
    default void oneOfManyRacingOperatorsReplaysAnEvent() {
        String id = operator().publish(1, State.DEAD).get(0);
        AtomicInteger won = new AtomicInteger();
        Runnable racer = () ->
                won.addAndGet(operator().replay(OperatorUnderTest.ids(id), 10).size());

        Race.between(Collections.nCopies(4, racer));

        assertThat(won).hasValue(1);
        assertThat(operator().acts()).hasSize(1);
    }

    @Test
    default void replaysARowThatAForeignProgramHasWritten() {
        String foreign = operator().publish(1, State.DEAD).get(0);
        operator().fixture().corruptHeaders(foreign, "not json at all");

        assertThat(operator().replay(matching(in(State.DEAD)), 10)).containsExactly(foreign);
    }
}
