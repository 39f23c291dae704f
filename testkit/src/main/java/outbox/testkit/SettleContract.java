package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.spi.SettleResult.Item.CLAIM_LOST;
import static outbox.spi.SettleResult.Item.WRITTEN;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.internal.ErrorText;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.SettleItem;
import outbox.spi.SettleResult;
import outbox.testkit.StoreFixture.FailedAttempt;

/** A settlement is written whole while its claim holds, and changes nothing once it is lost. */
interface SettleContract extends ContractPart {

    @Test
    default void writesDone() {
        EventEnvelope event = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();

        assertThat(claimer.settle(claimer.claimOnly().done())).isEqualTo(1);

        OutboxEvent row = underTest().row(event);
        assertThat(row.status()).isEqualTo(EventStatus.DONE);
        assertThat(row.attempts()).isZero();
        assertThat(row.state().doneAt()).isAfterOrEqualTo(row.createdAt());
        assertThat(row.state().lastAttemptAt()).isAfterOrEqualTo(row.createdAt());
        assertThat(row.toEnvelope()).isEqualTo(event);
        assertThat(claimer.claim()).isEmpty();
    }

    @Test
    default void writesARetryThatIsDueAtOnce() {
        EventEnvelope event = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();

        assertThat(claimer.settle(claimer.claimOnly().retry(Duration.ZERO, "the broker is down")))
                .isEqualTo(1);

        OutboxEvent again = claimer.claimOnly().event();
        assertThat(again.eventId()).isEqualTo(event.eventId());
        assertThat(again.status()).isEqualTo(EventStatus.RETRY);
        assertThat(again.attempts()).isEqualTo(1);
        assertThat(again.state().lastError()).isEqualTo("the broker is down");
        assertThat(again.state().lastAttemptAt()).isAfterOrEqualTo(again.createdAt());
        assertThat(again.state().doneAt()).isNull();
        assertThat(again.toEnvelope()).isEqualTo(event);
    }

    @Test
    default void writesARetryThatIsDueLater() {
        EventEnvelope event = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        claimer.settle(claimer.claimOnly().retry(Duration.ofDays(1), "not yet"));

        assertThat(claimer.claim()).isEmpty();
        OutboxEvent row = underTest().row(event);
        assertThat(row.availableAt())
                .isBetween(
                        row.createdAt().plus(Duration.ofDays(1)),
                        row.createdAt().plus(Duration.ofDays(1)).plusSeconds(600));
    }

    @Test
    default void writesAPostponementThatCountsNoAttempt() {
        EventEnvelope event = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        assertThat(claimer.settle(claimer.claimOnly().postponed(Duration.ZERO, "the broker is down")))
                .isEqualTo(1);

        OutboxEvent again = underTest().row(event);
        assertThat(again.status()).isEqualTo(EventStatus.RETRY);
        assertThat(again.attempts()).isZero();
        assertThat(again.state().lastError()).isEqualTo("the broker is down");
        assertThat(again.state().lastAttemptAt()).isAfterOrEqualTo(again.createdAt());
        assertThat(again.state().doneAt()).isNull();
        assertThat(underTest().fixture().failedAttempts(event.eventId())).isEmpty();
        assertThat(claimer.claimOnly().id()).isEqualTo(event.eventId());
    }

    @Test
    default void keepsTheAttemptsOfAnEventThatIsPostponed() {
        EventEnvelope event = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        claimer.settle(claimer.claimOnly().retry(Duration.ZERO, "first"));
        claimer.settle(claimer.claimOnly().postponed(Duration.ofDays(1), "down"));

        OutboxEvent row = underTest().row(event);
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.availableAt())
                .isBetween(
                        row.createdAt().plus(Duration.ofDays(1)),
                        row.createdAt().plus(Duration.ofDays(1)).plusSeconds(600));
        assertThat(claimer.claim()).isEmpty();
    }

    // An event that waits for its retry is in order, so relays let nothing of its lane overtake it.
    @Test
    default void aPostponedEventWaitsForItsRetry() {
        EventEnvelope postponed = underTest().publish(Events.ofKey("k"));
        Claimer claimer = underTest().claimer();
        claimer.settle(claimer.claimOnly().postponed(Duration.ofDays(1), "down"));

        assertThat(claimer.claim()).isEmpty();
        assertThat(underTest().row(postponed).status()).isEqualTo(EventStatus.RETRY);
    }

    @Test
    default void aPostponedEventThatWasDelayedWaitsForItsRetry() {
        EventEnvelope delayed = underTest()
                .publish(Events.sample()
                        .orderingKey("k")
                        .availableAt(ClaimContract.LONG_AGO)
                        .build());
        Claimer claimer = underTest().claimer();
        claimer.settle(claimer.claimOnly().postponed(Duration.ofDays(1), "down"));

        assertThat(claimer.claim()).isEmpty();
        assertThat(underTest().row(delayed).status()).isEqualTo(EventStatus.RETRY);
    }

    @Test
    default void aReplayedEventIsNewAlthoughItWasPostponed() {
        EventEnvelope event = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        claimer.settle(claimer.claimOnly().postponed(Duration.ZERO, "down"));
        claimer.settle(claimer.claimOnly().givenUp("too old"));

        underTest().replay(event.eventId());

        assertThat(underTest().row(event).status()).isEqualTo(EventStatus.NEW);
    }

    @Test
    default void writesADeadEventThatWasGivenUpWithoutAnAttempt() {
        EventEnvelope event = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        claimer.settle(claimer.claimOnly().retry(Duration.ZERO, "first"));
        assertThat(claimer.settle(claimer.claimOnly().givenUp("too old"))).isEqualTo(1);

        OutboxEvent row = underTest().row(event);
        assertThat(row.status()).isEqualTo(EventStatus.DEAD);
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.state().lastError()).isEqualTo("too old");
        assertThat(claimer.claim()).isEmpty();
    }

    @Test
    default void countsTheDelayOfARetryFromItsFailure() {
        underTest().publish(Events.sample().availableAt(ClaimContract.LONG_AGO).build());
        Claimer claimer = underTest().claimer();
        claimer.settle(claimer.claimOnly().retry(Duration.ofHours(1), "not yet"));

        assertThat(claimer.claim()).isEmpty();
    }

    @Test
    default void countsEveryFailedAttempt() {
        EventEnvelope event = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        claimer.settle(claimer.claimOnly().retry(Duration.ZERO, "first"));
        claimer.settle(claimer.claimOnly().retry(Duration.ZERO, "second"));
        claimer.settle(claimer.claimOnly().dead("third"));

        OutboxEvent row = underTest().row(event);
        assertThat(row.status()).isEqualTo(EventStatus.DEAD);
        assertThat(row.attempts()).isEqualTo(3);
        assertThat(row.state().lastError()).isEqualTo("third");
        assertThat(row.state().lastAttemptAt()).isAfterOrEqualTo(row.createdAt());
        assertThat(row.state().doneAt()).isNull();
        assertThat(claimer.claim()).isEmpty();
    }

    @Test
    default void storesErrorsThatNoColumnWouldTake() {
        String tooLong = "null\u0000 and half \uD83D " + FidelityContract.CAT.repeat(3_000);
        EventEnvelope retried = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        claimer.settle(claimer.claimOnly().retry(Duration.ofDays(1), tooLong));
        EventEnvelope dead = underTest().publish(Events.any());
        claimer.settle(claimer.claimOnly().dead(tooLong));

        assertThat(underTest().row(retried).state().lastError()).isEqualTo(ErrorText.fit(tooLong));
        assertThat(underTest().row(dead).state().lastError()).isEqualTo(ErrorText.fit(tooLong));
    }

    @ParameterizedTest
    @ValueSource(strings = {"done", "retry", "postponed", "dead"})
    default void changesNothingUnderALostClaim(String kind) {
        underTest().publish(Events.any());
        Claimer late = underTest().claimer();
        Held lost = late.claimFor(Claimer.BRIEF).get(0);
        Claimer other = underTest().claimer();
        Held taken = other.claimWhenExpired().get(0);
        EventState before = underTest().row(lost.id()).state();

        assertThat(late.settle(settlement(lost, kind))).isZero();

        assertThat(underTest().row(lost.id()).state()).isEqualTo(before);
        assertThat(other.settle(taken.done())).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"done", "retry", "postponed", "dead"})
    default void changesNothingAboutASettledEvent(String kind) {
        underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        Held held = claimer.claimOnly();
        claimer.settle(held.done());
        EventState before = underTest().row(held.id()).state();

        assertThat(claimer.settle(settlement(held, kind))).isZero();

        assertThat(underTest().row(held.id()).state()).isEqualTo(before);
    }

    private static SettleItem settlement(Held held, String kind) {
        return switch (kind) {
            case "done" -> held.done();
            case "retry" -> held.retry(Duration.ZERO, "late");
            case "postponed" -> held.postponed(Duration.ZERO, "late");
            case "dead" -> held.dead("late");
            default -> throw new IllegalArgumentException(kind);
        };
    }

    @Test
    default void writesABatchOfAllKinds() {
        underTest().publishAll(Events.many(5));
        Claimer claimer = underTest().claimer();
        List<Held> held = claimer.claim();

        int written = claimer.settle(
                held.get(0).done(),
                held.get(1).retry(Duration.ofHours(1), "later"),
                held.get(2).dead("never"),
                held.get(3).postponed(Duration.ofHours(1), "down"),
                held.get(4).givenUp("too old"));

        assertThat(written).isEqualTo(5);
        assertThat(held).extracting(h -> underTest().row(h.id()).attempts()).containsExactly(0, 1, 1, 0, 0);
        assertThat(held)
                .extracting(h -> underTest().row(h.id()).status())
                .containsExactly(
                        EventStatus.DONE, EventStatus.RETRY, EventStatus.DEAD, EventStatus.RETRY, EventStatus.DEAD);
        assertThat(held)
                .extracting(h -> underTest().row(h.id()).state().lastError())
                .containsExactly(null, "later", "never", "down", "too old");
    }

    @Test
    default void writesTheRestOfABatchInWhichOneClaimIsLost() {
        underTest().publishAll(Events.many(4));
        Claimer late = underTest().claimer();
        List<Held> held = late.claimFor(Claimer.BRIEF);
        Claimer other = underTest().claimer();
        Await.until("a brief claim has expired", () -> other.canTake(held.get(1).id()));

        List<SettleResult.Item> results = late.results(
                held.get(0).done(),
                held.get(1).dead("late"),
                held.get(2).retry(Duration.ofHours(1), "later"),
                held.get(3).dead("never"));

        assertThat(results).containsExactly(WRITTEN, CLAIM_LOST, WRITTEN, WRITTEN);
        assertThat(held)
                .extracting(h -> underTest().row(h.id()).status())
                .containsExactly(EventStatus.DONE, EventStatus.NEW, EventStatus.RETRY, EventStatus.DEAD);
    }

    /** Some stores settle such a batch by one statement that tells how many events it changed, and not which. */
    @Test
    default void showsWhichOfABatchOfDoneEventsWereWritten() {
        underTest().publishAll(Events.many(4));
        Claimer late = underTest().claimer();
        List<Held> held = late.claimFor(Claimer.BRIEF);
        Claimer other = underTest().claimer();
        List<Held> taken = Await.nonEmpty("brief claims have expired", () -> other.claim(2));
        other.settle(taken.getFirst().done());
        PartitionScan clock = underTest().partitions();
        clock.awaitAfter(clock.now()); // Some stores know the two by their times.
        List<String> lost = Held.ids(taken);

        List<SettleResult.Item> results =
                late.results(held.stream().map(Held::done).toArray(SettleItem[]::new));

        assertThat(results)
                .containsExactlyElementsOf(held.stream()
                        .map(each -> SettleResult.Item.written(!lost.contains(each.id())))
                        .toList());
        assertThat(held)
                .extracting(each -> underTest().row(each.id()).status())
                .containsExactlyElementsOf(held.stream()
                        .map(each -> lost.lastIndexOf(each.id()) == 1 ? EventStatus.NEW : EventStatus.DONE)
                        .toList());
    }

    @Test
    default void recordsEveryFailureThatCounts() {
        EventEnvelope event = underTest().publish(Events.any());
        EventEnvelope old = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        claimer.claim()
                .forEach(held -> claimer.settle(
                        held.id().equals(event.eventId())
                                ? held.retry(Duration.ZERO, "first")
                                : held.givenUp("too old")));
        claimer.settle(claimer.claimOnly().postponed(Duration.ZERO, "down"));
        claimer.settle(claimer.claimOnly().dead("second"));

        assertThat(underTest().fixture().failedAttempts(event.eventId()))
                .containsExactly(
                        new FailedAttempt(1, Claimer.NODE, SettleItems.DESTINATION, "first"),
                        new FailedAttempt(2, Claimer.NODE, SettleItems.DESTINATION, "second"));
        assertThat(underTest().fixture().failedAttempts(old.eventId())).isEmpty();
    }

    @Test
    default void settlesManyAtOnce() {
        List<EventEnvelope> events = underTest().publishAll(Events.many(500));
        Claimer claimer = underTest().claimer();
        SettleItem[] all = claimer.claim().stream().map(Held::done).toArray(SettleItem[]::new);

        assertThat(claimer.settle(all)).isEqualTo(500);
        assertThat(underTest().row(events.get(499)).status()).isEqualTo(EventStatus.DONE);
    }

    @Test
    default void writesNothingForAnEmptyBatch() {
        Claimer claimer = underTest().claimer();

        assertThat(claimer.settle()).isZero();
        assertThat(claimer.release()).isZero();
        assertThat(claimer.renew()).isEmpty();
    }
}
