package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.internal.ErrorText;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.Pause;
import outbox.testkit.StoreFixture.FailedAttempt;

/** A settlement whose fence is valid is written whole, once, and only about a pending event. */
interface SettlementContract extends ContractPart {

    @Test
    default void writesADoneEventAndKeepsTheRow() {
        EventEnvelope event = underTest().publish(Events.any());

        assertThat(settle(SettleItems.done(event))).isEqualTo(1);

        OutboxEvent row = underTest().row(event);
        assertThat(row.status()).isEqualTo(EventStatus.DONE);
        assertThat(row.attempts()).isZero();
        assertThat(row.state().doneAt()).isAfterOrEqualTo(row.createdAt());
        assertThat(row.state().lastAttemptAt()).isAfterOrEqualTo(row.createdAt());
        assertThat(row.toEnvelope()).isEqualTo(event);
        assertThat(underTest().fixture().failedAttempts(event.eventId())).isEmpty();
    }

    @Test
    default void writesARetryAndRecordsTheAttempt() {
        EventEnvelope event = underTest().publish(Events.any());

        assertThat(settle(SettleItems.retry(event, 0, Duration.ofDays(1), "the broker is down")))
                .isEqualTo(1);

        OutboxEvent row = underTest().row(event);
        assertThat(row.status()).isEqualTo(EventStatus.RETRY);
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.state().lastError()).isEqualTo("the broker is down");
        assertThat(row.state().lastAttemptAt()).isAfterOrEqualTo(row.createdAt());
        assertThat(row.state().doneAt()).isNull();
        assertThat(row.availableAt())
                .isBetween(
                        row.createdAt().plus(Duration.ofDays(1)),
                        row.createdAt().plus(Duration.ofDays(1)).plusSeconds(600));
        assertThat(attemptsAt(event))
                .containsExactly(new FailedAttempt(1, "node", SettleItems.DESTINATION, "the broker is down"));
    }

    @Test
    default void writesAPostponementAndRecordsNoAttempt() {
        EventEnvelope event = underTest().publish(Events.any());
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership ownership = node.acquire(0);
        node.settle(ownership, SettleItems.retry(event, 0, Duration.ZERO, "first"));

        assertThat(node.settle(ownership, SettleItems.postponed(event, 1, Duration.ofHours(1), "down")))
                .isEqualTo(1);

        OutboxEvent row = underTest().row(event);
        assertThat(row.status()).isEqualTo(EventStatus.RETRY);
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.state().lastError()).isEqualTo("down");
        assertThat(attemptsAt(event)).extracting(FailedAttempt::error).containsExactly("first");
        assertThat(underTest().partitions().read(event).untilDue())
                .isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
    }

    @Test
    default void waitsForTheDelayOfTheFirstPostponement() {
        EventEnvelope event = underTest().publish(Events.any());
        settle(SettleItems.postponed(event, 0, Duration.ofHours(1), "down"));

        assertThat(underTest().row(event).attempts()).isZero();
        assertThat(underTest().partitions().read(event).untilDue())
                .isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
    }

    @Test
    default void writesAnEventThatWasGivenUpAndRecordsNoAttempt() {
        EventEnvelope event = underTest().publish(Events.any());

        assertThat(settle(SettleItems.givenUp(event, 0, "too old"))).isEqualTo(1);

        assertThat(underTest().row(event).status()).isEqualTo(EventStatus.DEAD);
        assertThat(underTest().row(event).attempts()).isZero();
        assertThat(underTest().row(event).state().lastError()).isEqualTo("too old");
        assertThat(attemptsAt(event)).isEmpty();
    }

    @Test
    default void countsTheDelayOfASettledRetryFromItsFailure() {
        EventEnvelope event = underTest()
                .publish(Events.sample().availableAt(ClaimContract.LONG_AGO).build());
        settle(SettleItems.retry(event, 0, Duration.ofHours(1), "not yet"));

        assertThat(underTest().partitions().read(event).untilDue())
                .isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
    }

    @Test
    default void writesADeadEventAndRecordsEveryAttempt() {
        EventEnvelope event = underTest().publish(Events.any());
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership ownership = node.acquire(0);
        node.settle(ownership, SettleItems.retry(event, 0, Duration.ZERO, "first"));
        node.settle(ownership, SettleItems.retry(event, 1, Duration.ZERO, "second"));

        assertThat(node.settle(ownership, SettleItems.dead(event, 2, "third"))).isEqualTo(1);

        OutboxEvent row = underTest().row(event);
        assertThat(row.status()).isEqualTo(EventStatus.DEAD);
        assertThat(row.attempts()).isEqualTo(3);
        assertThat(row.state().lastError()).isEqualTo("third");
        assertThat(row.state().doneAt()).isNull();
        assertThat(row.toEnvelope()).isEqualTo(event);
        assertThat(attemptsAt(event)).extracting(FailedAttempt::attempt).containsExactly(1, 2, 3);
        assertThat(attemptsAt(event)).extracting(FailedAttempt::error).containsExactly("first", "second", "third");
        assertThat(underTest().fixture().clusterStore().pauses()).isEmpty();
    }

    @Test
    default void deletesWhatIsDoneAndNothingElseWhenAskedTo() {
        EventEnvelope done = underTest().publish(Events.any());
        EventEnvelope retried = underTest().publish(Events.any());
        EventEnvelope dead = underTest().publish(Events.any());
        EventEnvelope other = underTest().publish(Events.any());

        int settled = settle(
                DoneRows.DELETE,
                SettleItems.done(done),
                SettleItems.retry(retried, 0, Duration.ZERO, "not yet"),
                SettleItems.dead(dead, 0, "broken"));

        assertThat(settled).isEqualTo(3);
        assertThat(underTest().pauses(done)).isFalse();
        assertThat(underTest().row(retried).status()).isEqualTo(EventStatus.RETRY);
        assertThat(underTest().row(dead).status()).isEqualTo(EventStatus.DEAD);
        assertThat(underTest().row(other).status()).isEqualTo(EventStatus.NEW);
        assertThat(underTest().partitions().shows(done)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"done", "deleted", "retry", "dead"})
    default void changesNothingWhenWrittenAgain(String kind) {
        EventEnvelope event = underTest().publish(Events.ofKey("k"));
        SettleItem item = switch (kind) {
            case "retry" -> SettleItems.retry(event, 0, Duration.ZERO, "not yet");
            case "dead" -> SettleItems.pausingKey(event, 0, "k");
            default -> SettleItems.done(event);
        };
        DoneRows doneRows = kind.equals("deleted") ? DoneRows.DELETE : DoneRows.KEEP;
        RelayNode node = underTest().relayNode("node");
        Fence fence = new Fence.Ownership(node.acquire(0));
        node.settle(fence, doneRows, item);
        Optional<OutboxEvent> before = underTest().find(event.eventId());
        List<FailedAttempt> attempts = attemptsAt(event);
        List<Pause> pauses = underTest().fixture().clusterStore().pauses();

        assertThat(node.settle(fence, doneRows, item)).isZero();

        assertThat(underTest().find(event.eventId())).isEqualTo(before);
        assertThat(attemptsAt(event)).isEqualTo(attempts);
        assertThat(underTest().fixture().clusterStore().pauses()).isEqualTo(pauses);
    }

    @Test
    default void aFailureIsWrittenOnlyWhileTheRowCountsWhatItCountedWhenRead() {
        EventEnvelope event = underTest().publish(Events.any());
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership ownership = node.acquire(0);
        node.settle(ownership, SettleItems.retry(event, 0, Duration.ZERO, "first"));
        OutboxEvent before = underTest().row(event);

        assertThat(node.settle(ownership, SettleItems.dead(event, 0, "stale"))).isZero();
        assertThat(node.settle(ownership, SettleItems.retry(event, 2, Duration.ZERO, "ahead")))
                .isZero();

        assertThat(underTest().row(event)).isEqualTo(before);
        assertThat(attemptsAt(event)).hasSize(1);
        assertThat(node.settle(ownership, SettleItems.done(event)))
                .as("done counts no attempts, so none have to match")
                .isEqualTo(1);
        assertThat(underTest().row(event).attempts()).isEqualTo(1);
    }

    @Test
    default void changesNothingAboutASettledOrUnknownEvent() {
        EventEnvelope done = underTest().publish(Events.ofKey("k"));
        EventEnvelope dead = underTest().publish(Events.any());
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership ownership = node.acquire(0);
        node.settle(ownership, SettleItems.done(done), SettleItems.dead(dead, 0, "broken"));
        OutboxEvent doneRow = underTest().row(done);
        OutboxEvent deadRow = underTest().row(dead);

        assertThat(node.settle(ownership, SettleItems.pausingKey(done, 0, "k"), SettleItems.done(dead)))
                .isZero();
        assertThat(node.settle(
                        ownership, SettleItems.retry(dead, 1, Duration.ZERO, "late"), SettleItems.done(Events.any())))
                .isZero();
        assertThat(node.settle(
                        new Fence.Ownership(ownership),
                        DoneRows.DELETE,
                        SettleItems.done(dead),
                        SettleItems.done(done)))
                .isZero();

        assertThat(underTest().row(done)).isEqualTo(doneRow);
        assertThat(underTest().row(dead)).isEqualTo(deadRow);
        assertThat(attemptsAt(done)).isEmpty();
        assertThat(underTest().fixture().clusterStore().pauses()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"retry", "dead"})
    default void endsTheClaimOnTheEvent(String kind) {
        EventEnvelope event = underTest().publish(Events.any());
        underTest().fixture().claimStore().claimOne(event.eventId(), Claimer.terms(Claimer.LONG));

        settle(
                kind.equals("retry")
                        ? SettleItems.retry(event, 0, Duration.ZERO, "not yet")
                        : SettleItems.dead(event, 0, "broken"));

        underTest().replay(event.eventId());
        assertThat(underTest().fixture().claimStore().claimOne(event.eventId(), Claimer.terms(Claimer.LONG)))
                .isTrue();
    }

    @Test
    default void storesErrorsOfSettlementsThatNoColumnWouldTake() {
        String tooLong = "null\u0000 and half \uD83D " + FidelityContract.CAT.repeat(3_000);
        EventEnvelope retried = underTest().publish(Events.any());
        EventEnvelope dead = underTest().publish(Events.any());

        assertThat(settle(
                        SettleItems.retry(retried, 0, Duration.ofDays(1), tooLong), SettleItems.dead(dead, 0, tooLong)))
                .isEqualTo(2);

        assertThat(underTest().row(retried).state().lastError()).isEqualTo(ErrorText.fit(tooLong));
        assertThat(underTest().row(dead).state().lastError()).isEqualTo(ErrorText.fit(tooLong));
        assertThat(attemptsAt(retried)).hasSize(1);
    }

    @Test
    default void aDeadEventPausesItsKeyIfRequested() {
        EventEnvelope event = underTest().publish(Events.ofKey("k"));
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership partition = node.acquire(0);
        long version = node.view().pausesVersion();

        node.settle(partition, SettleItems.pausingKey(event, 0, "k"));

        List<Pause> pauses = underTest().fixture().clusterStore().pauses();
        assertThat(pauses).hasSize(1);
        assertThat(pauses.get(0).subject()).isEqualTo(new Pause.Subject(Pause.Kind.KEY, "k"));
        assertThat(pauses.get(0).reason()).contains(event.eventId());
        assertThat(pauses.get(0).by()).isEqualTo("catbox");
        assertThat(pauses.get(0).since())
                .isBetween(
                        underTest().row(event).createdAt(),
                        underTest().row(event).createdAt().plusSeconds(600));
        assertThat(node.view().pausesVersion()).isNotEqualTo(version);
    }

    @Test
    default void aDeadEventPausesEveryKeyThatAnEventCanHave() {
        String cats = FidelityContract.CAT.repeat(255);
        EventEnvelope empty = underTest().publish(Events.ofKey(""));
        EventEnvelope longest = underTest().publish(Events.ofKey(cats));

        assertThat(settle(SettleItems.pausingKey(empty, 0, ""), SettleItems.pausingKey(longest, 0, cats)))
                .isEqualTo(2);

        assertThat(underTest().fixture().clusterStore().pauses())
                .extracting(Pause::subject)
                .contains(new Pause.Subject(Pause.Kind.KEY, ""), new Pause.Subject(Pause.Kind.KEY, cats));
    }

    @Test
    default void aDeadEventLeavesAnExistingPauseAsItIs() {
        EventEnvelope event = underTest().publish(Events.ofKey("k"));
        underTest().fixture().clusterAdmin().pause(new Pause.Subject(Pause.Kind.KEY, "k"), "wait", "operator");
        List<Pause> before = underTest().fixture().clusterStore().pauses();

        assertThat(settle(SettleItems.pausingKey(event, 0, "k"))).isEqualTo(1);

        assertThat(underTest().row(event).status()).isEqualTo(EventStatus.DEAD);
        assertThat(underTest().fixture().clusterStore().pauses()).isEqualTo(before);
    }

    private int settle(SettleItem... items) {
        return settle(DoneRows.KEEP, items);
    }

    private int settle(DoneRows doneRows, SettleItem... items) {
        RelayNode node = underTest().relayNode("node");
        return node.settle(new Fence.Ownership(node.acquire(0)), doneRows, items);
    }

    private List<FailedAttempt> attemptsAt(EventEnvelope event) {
        return underTest().fixture().failedAttempts(event.eventId());
    }
}
