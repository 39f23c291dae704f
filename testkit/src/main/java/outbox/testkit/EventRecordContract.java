package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.testkit.OperatorUnderTest.in;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventHistory;
import outbox.spi.operations.EventRange;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.OperatorStore;
import outbox.spi.relay.PartitionOwnership;

/** What is written down about events, keys and acts can be read. */
interface EventRecordContract extends OperatorPart {

    @Test
    default void findsAnEventWhateverBecameOfIt() {
        String dead = operator().publish(1, State.DEAD).get(0);
        String done = operator().publish(1, State.DONE).get(0);
        String pending = operator().publish(1, State.PENDING).get(0);

        assertThat(statusOf(dead)).contains(EventStatus.DEAD);
        assertThat(statusOf(done)).contains(EventStatus.DONE);
        assertThat(statusOf(pending)).contains(EventStatus.NEW);
        assertThat(statusOf("no such event")).isEmpty();
    }

    private Optional<EventStatus> statusOf(String eventId) {
        return operator().store().find(eventId).map(OutboxEvent::status);
    }

    @Test
    default void showsTheFailedAttemptsOldestFirst() {
        EventEnvelope event = operator().events().publish(Events.any());
        Instant before = operator().events().partitions().now();
        RelayNode node = operator().events().relayNode("node-7");
        PartitionOwnership hold = node.acquire(0);
        node.settle(hold, SettleItems.retry(event, 0, Duration.ZERO, "first"));
        node.settle(hold, SettleItems.dead(event, 1, "second"));

        List<EventHistory.FailedAttempt> attempts =
                operator().store().history(event.eventId()).attempts();

        assertThat(attempts).extracting(EventHistory.FailedAttempt::attempt).containsExactly(1, 2);
        assertThat(attempts).extracting(EventHistory.FailedAttempt::error).containsExactly("first", "second");
        assertThat(attempts).extracting(EventHistory.FailedAttempt::nodeId).containsOnly("node-7");
        assertThat(attempts).extracting(EventHistory.FailedAttempt::destination).containsOnly(SettleItems.DESTINATION);
        assertThat(attempts).allSatisfy(each -> assertThat(each.failedAt()).isBetween(before, before.plusSeconds(600)));
    }

    @Test
    default void keepsTheFailedAttemptsOfAReplayedEvent() {
        String id = operator().publish(Events.any(), State.DEAD, "broken");

        operator().replay(OperatorUnderTest.ids(id), 10);

        assertThat(operator().store().history(id).attempts())
                .extracting(EventHistory.FailedAttempt::error)
                .containsExactly("broken");
    }

    @Test
    default void showsWhichDestinationsHaveAnEventAlready() {
        EventEnvelope event = operator().events().publish(Events.any());
        Instant before = operator().events().partitions().now();
        PartitionOwnership hold = operator().events().relayNode("node").acquire(0);
        Claim claim = new Claim(event.eventId(), "none");
        operator()
                .fixture()
                .relayStore()
                .settle(new SettleRequest(
                        new Fence.Ownership(hold),
                        "node",
                        List.of(),
                        DoneRows.KEEP,
                        List.of(new Acknowledgement(claim, "here"), new Acknowledgement(claim, "there")),
                        false));

        List<EventHistory.Acknowledged> acknowledged =
                operator().store().history(event.eventId()).acknowledged();

        assertThat(acknowledged)
                .extracting(EventHistory.Acknowledged::target)
                .containsExactlyInAnyOrder("here", "there");
        assertThat(acknowledged)
                .allSatisfy(each -> assertThat(each.acknowledgedAt()).isBetween(before, before.plusSeconds(600)));
    }

    @Test
    default void nothingIsWrittenAboutAnEventThatIsNotThere() {
        assertThat(operator().store().history("no such event"))
                .isEqualTo(new EventHistory(List.of(), List.of(), List.of(), null));
    }

    @Test
    default void showsTheLaneOfAKeyInItsOrder() {
        String first = operator().publish(Events.ofKey("k"), State.RETRY, "not yet");
        operator().publish(Events.ofKey("k"), State.DEAD, "broken");
        operator().publish(Events.ofKey("k"), State.DONE, "");
        String second = operator().publish(Events.ofKey("k"), State.PENDING, "");
        operator().publish(Events.ofKey("another"), State.PENDING, "");
        Instant tomorrow = operator().events().partitions().now().plus(Duration.ofDays(1));
        String delayed = operator()
                .publish(Events.sample().orderingKey("k").availableAt(tomorrow).build(), State.PENDING, "");

        assertThat(operator().store().lane("k", 10))
                .extracting(EventSummary::eventId)
                .containsExactly(first, second, delayed);
        assertThat(operator().store().lane("k", 2))
                .extracting(EventSummary::eventId)
                .containsExactly(first, second);
        assertThat(operator().store().lane("no such key", 10)).isEmpty();
    }

    @Test
    default void showsKeysOfOneHashInOneLane() {
        String first = operator().publish(Events.ofKey(LaneContract.TWIN_KEY), State.PENDING, "");
        String second = operator().publish(Events.ofKey(LaneContract.OTHER_TWIN_KEY), State.PENDING, "");

        assertThat(operator().store().lane(LaneContract.OTHER_TWIN_KEY, 10))
                .extracting(EventSummary::eventId)
                .containsExactly(first, second);
        assertThat(operator().store().lane(LaneContract.TWIN_KEY, 10))
                .extracting(EventSummary::key)
                .containsExactly(LaneContract.TWIN_KEY, LaneContract.OTHER_TWIN_KEY);
    }

    @Test
    default void pagesTheAuditLatestFirst() {
        for (int n = 0; n < 5; n++) {
            operator().store().note(new OperatorAction("anna", n == 3 ? null : "because " + n), "reveal", "event-" + n);
        }

        List<AuditEntry> all = operator().store().audit(new AuditQuery(null, 100));
        List<AuditEntry> first = operator().store().audit(new AuditQuery(null, 2));
        List<AuditEntry> second =
                operator().store().audit(new AuditQuery(first.get(1).id(), 100));

        assertThat(all)
                .extracting(AuditEntry::subject)
                .containsExactly("event-4", "event-3", "event-2", "event-1", "event-0");
        assertThat(all)
                .extracting(AuditEntry::detail)
                .containsExactly("because 4", null, "because 2", "because 1", "because 0");
        assertThat(all).extracting(AuditEntry::action).containsOnly("reveal");
        assertThat(all).extracting(AuditEntry::who).containsOnly("anna");
        assertThat(first).containsExactlyElementsOf(all.subList(0, 2));
        assertThat(second).containsExactlyElementsOf(all.subList(2, 5));
    }

    @Test
    default void givesDoneEventsWithWhatTheyCarryInTheOrderOfTheirIds() {
        List<String> done = new ArrayList<>();
        for (int n = 0; n < 5; n++) {
            done.add(operator().publish(Events.ofType(n % 2 == 0 ? "Even" : "Odd"), State.DONE, ""));
            operator().publish(1, State.DEAD);
            operator().publish(1, State.PENDING);
        }
        EventFilter all = in(State.DONE);
        EventFilter odd = all.withEventType("Odd");

        assertThat(range(operator().store(), all, 2))
                .extracting(OutboxEvent::eventId)
                .containsExactlyElementsOf(done);
        assertThat(range(operator().store(), odd, 100))
                .extracting(OutboxEvent::eventId)
                .containsExactly(done.get(1), done.get(3));
        assertThat(range(operator().fixture().operatorStore(1), odd, 100))
                .as("though every look is cut")
                .extracting(OutboxEvent::eventId)
                .containsExactly(done.get(1), done.get(3));
        assertThat(range(operator().store(), all, 2))
                .extracting(OutboxEvent::payloadJson)
                .containsOnly("{}");
        Instant third = operator().events().row(done.get(2)).createdAt();
        assertThat(range(operator().store(), all.createdBetween(third, third.plusSeconds(600)), 100))
                .extracting(OutboxEvent::eventId)
                .contains(done.get(2), done.get(3), done.get(4));
        assertThat(range(operator().store(), all.createdBetween(third.plusSeconds(600), null), 100))
                .isEmpty();
    }

    private static List<OutboxEvent> range(OperatorStore store, EventFilter filter, int limit) {
        List<OutboxEvent> all = new ArrayList<>();
        @Nullable String after = null;
        int looks = 0;
        do {
            EventRange some = store.range(filter, after, limit);
            assertThat(some.events().size()).isLessThanOrEqualTo(limit);
            all.addAll(some.events());
            after = some.next();
            assertThat(++looks).isLessThan(1_000);
        } while (after != null);
        return all;
    }
}
