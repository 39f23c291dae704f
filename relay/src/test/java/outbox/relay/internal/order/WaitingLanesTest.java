package outbox.relay.internal.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.relay.Rows;
import outbox.spi.relay.LanePage;

/** Lanes that wait: for their retry, for a route, or because they are paused. */
class WaitingLanesTest extends LanesFixture {

    private static final long LATER = NOW + 1_000;

    @Test
    void parksALaneThatFailedUntilItsTimeHasCome() {
        scan(rows(2, "a"));
        LaneEvent first = takeOne();
        lanes.failed(first);
        assertThat(lanes.memory().events()).as("what waited is dropped").isEqualTo(1);
        assertThat(take()).isEmpty();

        lanes.settledFailure(first, LATER);

        assertThat(lanes.memory().events()).isZero();
        assertThat(lanes.hasLanesToFetch()).isFalse();
        assertThat(lanes.skippedLanes()).containsExactly(lane("a"));
        assertThat(lanes.waiting().nextUnparkNanos()).hasValue(LATER);
        assertThat(lanes.waiting().unpark(LATER - 1)).isEmpty();
        assertThat(lanes.waiting().unpark(LATER)).containsExactly(lane("a"));
        assertThat(lanes.waiting().nextUnparkNanos()).isEmpty();
        assertThat(lookUp(rows(2, "a"))).containsExactly(lane("a"));
        assertThat(seqs(List.of(takeOne()))).containsExactly(1L);
    }

    @Test
    void aLaneWithoutATimeOfItsOwnLeavesNothingInTheQueueOfTimes() {
        for (int probes = 0; probes < 3; probes++) {
            lanes.waiting().parkWithoutTime(lane("a"), NOW);
            assertThat(lanes.waiting().nextUnparkNanos()).isEmpty();
            assertThat(lanes.hasLanesToFetch()).isFalse();

            lanes.waiting().unparkLane(lane("a"));

            assertThat(lanes.takeLanesToFetch(10)).containsExactly(lane("a"));
        }
    }

    @Test
    void letsOtherKeysGoOnWhileOneIsParked() {
        scan(row(1, "a"), row(2, "b"));
        List<LaneEvent> both = take();
        failed(both.get(0), LATER);
        done(both.get(1));

        assertThat(scan(row(3, "b"))).isEqualTo(1);
        assertThat(seqs(take())).containsExactly(3L);
    }

    @Test
    void takesNothingOfAParkedLaneIn() {
        scan(row(1, "a"));
        failed(takeOne(), LATER);

        assertThat(scan(row(1, "a"), row(2, "a"))).isZero();
        assertThat(lanes.memory().events()).isZero();
    }

    @Test
    void takesNothingInOfALaneWhoseFailureIsNotWrittenYet() {
        scan(row(1, "a"));
        LaneEvent first = takeOne();
        lanes.failed(first);

        assertThat(scan(row(2, "a"))).isZero();

        lanes.settledFailure(first, LATER);
        lanes.waiting().unpark(LATER);
        assertThat(lookUp(rows(2, "a"))).containsExactly(lane("a"));
        assertThat(seqs(List.of(takeOne()))).containsExactly(1L);
    }

    @Test
    void parksALaneWhoseOldestEventWaitsForItsRetry() {
        assertThat(scan(waiting(1, "a", Duration.ofNanos(1_000)), row(2, "a"))).isZero();

        assertThat(lanes.waiting().nextUnparkNanos()).hasValue(LATER);
        assertThat(lanes.hasLanesToFetch()).isFalse();
        assertThat(lanes.waiting().unpark(LATER)).containsExactly(lane("a"));
        lookUp(row(1, "a"), row(2, "a"));
        assertThat(seqs(take())).containsExactly(1L, 2L);
    }

    @Test
    void parksAgainWhenALookUpShowsARetry() {
        lanes.waiting().cameDue(lane("a"), 0);

        lookUp(waiting(1, "a", Duration.ofNanos(1_000)), row(2, "a"));

        assertThat(lanes.memory().events()).isZero();
        assertThat(lanes.waiting().unpark(LATER)).containsExactly(lane("a"));
        assertThat(lanes.takeLanesToFetch(1)).containsExactly(lane("a"));
    }

    @Test
    void stopsALookUpBeforeARetryInTheMiddle() {
        lanes.waiting().cameDue(lane("a"), 0);

        lookUp(row(1, "a"), waiting(2, "a", Duration.ofNanos(1_000)), row(3, "a"));

        List<LaneEvent> first = take();
        assertThat(seqs(first)).containsExactly(1L);
        doneAll(first);
        assertThat(lanes.takeLanesToFetch(1)).containsExactly(lane("a"));
    }

    @Test
    void keepsTheLaterOfTwoTimes() {
        scan(rows(2, "a"));
        List<LaneEvent> both = take();
        both.forEach(lanes::failed);
        lanes.settledFailure(both.get(0), LATER);
        lanes.settledFailure(both.get(1), NOW + 3);

        assertThat(lanes.waiting().unpark(NOW + 3)).isEmpty();
        assertThat(lanes.waiting().unpark(LATER)).containsExactly(lane("a"));
    }

    @Test
    void letsAnEarlierTimeGiveWayToALaterOne() {
        scan(rows(2, "a"));
        List<LaneEvent> both = take();
        both.forEach(lanes::failed);
        lanes.settledFailure(both.get(0), NOW + 3);
        lanes.settledFailure(both.get(1), LATER);

        assertThat(lanes.waiting().unpark(NOW + 3)).isEmpty();
        assertThat(lanes.waiting().unpark(LATER)).containsExactly(lane("a"));
    }

    @Test
    void readsALaneAgainOnlyWhenAllOfItsFailuresAreSettled() {
        scan(rows(2, "a"));
        List<LaneEvent> both = take();
        both.forEach(lanes::failed);
        lanes.settledFailure(both.get(0), NOW);
        lanes.waiting().unpark(NOW);
        assertThat(lanes.takeLanesToFetch(1)).isEmpty();

        lanes.settledFailure(both.get(1), NOW);
        lanes.waiting().unpark(NOW);

        assertThat(lanes.takeLanesToFetch(1)).containsExactly(lane("a"));
    }

    @Test
    void readsALaneAgainOnlyWhenItsSuccessesAreSettledToo() {
        scan(rows(2, "a"));
        List<LaneEvent> both = take();
        lanes.finished(both.get(0));
        lanes.failed(both.get(1));
        lanes.settledFailure(both.get(1), NOW);
        lanes.waiting().unpark(NOW);
        assertThat(lanes.takeLanesToFetch(1)).isEmpty();

        lanes.settled(both.get(0));

        assertThat(lanes.takeLanesToFetch(1)).containsExactly(lane("a"));
    }

    @Test
    void goesOneByOneAfterABatchThatFailed() {
        scan(rows(3, "a"));
        List<LaneEvent> batch = take();
        assertThat(batch).hasSize(3);
        batch.forEach(lanes::failed);
        batch.forEach(event -> lanes.settledFailure(event, NOW));
        lanes.waiting().unpark(NOW);
        lookUp(rows(6, "a"));

        for (int single = 1; single <= 3; single++) {
            List<LaneEvent> one = take();
            assertThat(seqs(one)).containsExactly((long) single);
            doneAll(one);
        }
        assertThat(seqs(take())).containsExactly(4L, 5L, 6L);
    }

    @Test
    void unparksInTheOrderOfTheirTimesAcrossTheOverflow() {
        scan(row(1, "a"), row(2, "b"), row(3, "c"));
        List<LaneEvent> all = take();
        failed(all.get(0), NOW + 30);
        failed(all.get(1), NOW + 2);
        failed(all.get(2), NOW + 20);

        assertThat(lanes.waiting().nextUnparkNanos()).hasValue(NOW + 2);
        assertThat(lanes.waiting().unpark(NOW + 25)).containsExactly(lane("b"), lane("c"));
        assertThat(lanes.waiting().nextUnparkNanos()).hasValue(NOW + 30);
    }

    @Test
    void parksALaneThatHasNowhereToGo() {
        scan(row(1, "a"));
        assertThat(scan(Rows.row(2, "b", "nowhere", 2))).isZero();

        assertThat(lanes.takeLanesToFetch(5)).containsExactly(lane("b"));
        Lanes.Accepted arrival = lanes.acceptLane(content(lane("b"), Rows.row(2, "b", "nowhere", 2)), NOW);
        assertThat(arrival).isEqualTo(new Lanes.Accepted(0, true));
        lanes.waiting().park(lane("b"), LATER);

        assertThat(lanes.hasLanesToFetch()).isFalse();
        assertThat(lanes.waiting().unpark(LATER)).containsExactly(lane("b"));
        assertThat(lanes.takeLanesToFetch(5)).containsExactly(lane("b"));
    }

    @Test
    void deliversWhatIsBeforeAnEventThatHasNowhereToGo() {
        lanes.waiting().cameDue(lane("a"), 0);
        lanes.takeLanesToFetch(5);

        Lanes.Accepted arrival = lanes.acceptLane(content(lane("a"), row(1, "a"), Rows.row(2, "a", "nowhere", 2)), NOW);

        assertThat(arrival).isEqualTo(new Lanes.Accepted(1, false));
        doneAll(take());
        assertThat(lanes.takeLanesToFetch(5)).containsExactly(lane("a"));
    }

    @Test
    void holdsALaneUntilItIsResumed() {
        scan(rows(2, "a"));
        lanes.waiting().pause(lane("a"), "an operator asked");

        assertThat(lanes.waiting().pausedBecause(lane("a"))).isEqualTo("an operator asked");
        assertThat(lanes.waiting().pausedLanes()).containsExactly(lane("a"));
        assertThat(take()).isEmpty();
        assertThat(lanes.memory().events()).isZero();
        assertThat(scan(row(3, "a"))).isZero();
        assertThat(lanes.takeLanesToFetch(5)).isEmpty();

        lanes.waiting().resume(lane("a"));

        assertThat(lanes.waiting().pausedBecause(lane("a"))).isNull();
        assertThat(lanes.waiting().pausedLanes()).isEmpty();
        assertThat(lookUp(rows(3, "a"))).containsExactly(lane("a"));
        assertThat(seqs(take())).containsExactly(1L, 2L, 3L);
    }

    @Test
    void doesNotDisturbWhatIsUnderWayWhenItsLaneIsHeld() {
        scan(rows(2, "a"));
        LaneEvent first = takeOne();
        lanes.waiting().pause(lane("a"), "an operator");
        lanes.waiting().resume(lane("a"));
        assertThat(lanes.takeLanesToFetch(5)).as("not before it is settled").isEmpty();

        done(first);

        assertThat(lanes.takeLanesToFetch(5)).containsExactly(lane("a"));
    }

    @Test
    void keepsALaneOnHoldWhoseRetryIsDue() {
        scan(row(1, "a"));
        failed(takeOne(), LATER);
        lanes.waiting().pause(lane("a"), "an operator");

        assertThat(lanes.waiting().unpark(LATER)).containsExactly(lane("a"));
        assertThat(lanes.takeLanesToFetch(5)).isEmpty();
        lanes.waiting().resume(lane("a"));
        assertThat(lanes.takeLanesToFetch(5)).containsExactly(lane("a"));
    }

    @Test
    void keepsALaneParkedThatIsResumedTooEarly() {
        scan(row(1, "a"));
        failed(takeOne(), LATER);
        lanes.waiting().pause(lane("a"), "an operator");
        lanes.waiting().resume(lane("a"));

        assertThat(lanes.takeLanesToFetch(5)).isEmpty();
        lanes.waiting().unpark(LATER);
        assertThat(lanes.takeLanesToFetch(5)).containsExactly(lane("a"));
    }

    @Test
    void haltsALaneWhoseEventIsDead() {
        scan(rows(2, "a"));
        LaneEvent dead = takeOne();
        lanes.pausedByDead(dead, "dead");
        assertThat(lanes.waiting().pausedBecause(lane("a"))).isEqualTo("dead");
        assertThat(lanes.memory().events()).isEqualTo(1);

        lanes.settled(dead);

        assertThat(lanes.memory().events()).isZero();
        assertThat(take()).isEmpty();
        assertThat(lanes.takeLanesToFetch(5)).isEmpty();
        lanes.waiting().resume(lane("a"));
        assertThat(lookUp(row(2, "a"))).containsExactly(lane("a"));
    }

    @Test
    void resumesOnlyWhatIsHeld() {
        lanes.waiting().resume(lane("unknown"));
        scan(row(1, "a"));
        lanes.waiting().resume(lane("a"));

        assertThat(lanes.takeLanesToFetch(5)).isEmpty();
        assertThat(seqs(take())).containsExactly(1L);
    }

    @Test
    void looksUpALaneInWhichADelayedEventCameDue() {
        lanes.waiting().cameDue(lane("a"), 0);
        lanes.waiting().cameDue(lane("a"), 0);

        assertThat(lanes.hasLanesToFetch()).isTrue();
        assertThat(lookUp(row(1, "a"))).containsExactly(lane("a"));
        assertThat(lanes.hasLanesToFetch()).isFalse();
        assertThat(lanes.skippedLanes()).isEmpty();
        assertThat(seqs(take())).containsExactly(1L);
    }

    @Test
    void looksUpALaneOnceHoweverOftenItCameDue() {
        lanes.waiting().cameDue(lane("a"), 0);
        lanes.waiting().cameDue(lane("a"), 0);

        assertThat(lanes.takeLanesToFetch(1)).containsExactly(lane("a"));
        assertThat(lanes.hasLanesToFetch()).isFalse();
    }

    @Test
    void looksUpALaneInMemoryWhenItIsEmpty() {
        scan(row(5, "a"));
        lanes.waiting().cameDue(lane("a"), 0);
        assertThat(lanes.takeLanesToFetch(5)).isEmpty();

        doneAll(take());

        assertThat(lookUp(row(2, "a"))).containsExactly(lane("a"));
        assertThat(seqs(take())).containsExactly(2L);
    }

    @Test
    void looksUpAtMostAsManyAsAreAskedFor() {
        lanes.waiting().cameDue(lane("a"), 0);
        lanes.waiting().cameDue(lane("b"), 0);
        lanes.waiting().cameDue(lane("c"), 0);

        assertThat(lanes.takeLanesToFetch(2)).containsExactly(lane("a"), lane("b"));
        assertThat(lanes.takeLanesToFetch(2)).containsExactly(lane("c"));
        assertThat(lanes.takeLanesToFetch(2)).isEmpty();
    }

    @Test
    void looksUpAgainWhatCouldNotBeLookedUp() {
        lanes.waiting().cameDue(lane("a"), 0);
        Set<Integer> ids = lanes.takeLanesToFetch(5);

        lanes.fetchFailed(ids);

        assertThat(lanes.takeLanesToFetch(5)).isEqualTo(ids);
    }

    @Test
    void keepsALanePassedThatWasNotReadToItsEnd() {
        lanes.waiting().cameDue(lane("a"), 0);
        lanes.takeLanesToFetch(5);
        lanes.acceptLane(new LanePage(lane("a"), List.of(row(1, "a")), false), NOW);

        assertThat(lanes.skippedLanes()).containsExactly(lane("a"));
        assertThat(scan(row(2, "a"))).isZero();
        doneAll(take());
        assertThat(lookUp(row(2, "a"))).containsExactly(lane("a"));
        assertThat(lanes.skippedLanes()).isEmpty();
    }

    @Test
    void takesNoMoreThanItsLimitsFromALookUp() {
        lanes = lanes(new LaneLimits(3, 1 << 20, 2, 10));
        lanes.waiting().cameDue(lane("a"), 0);
        lanes.waiting().cameDue(lane("b"), 0);
        lookUp(row(1, "a"), row(2, "a"), row(3, "a"), row(4, "b"), row(5, "b"));

        assertThat(lanes.memory().events()).isEqualTo(3);
        assertThat(lanes.skippedLanes()).containsExactlyInAnyOrder(lane("a"), lane("b"));
    }

    @Test
    void goesOnWithAnEventThatWasPutBackWhileItsLaneWasOnHold() {
        scan(row(1, "a"));
        LaneEvent trial = takeOne();
        lanes.waiting().pause(lane("a"), "an operator");
        lanes.putBack(trial);
        lanes.waiting().resume(lane("a"));

        lookUp(row(1, "a"));

        assertThat(seqs(take())).containsExactly(1L);
    }

    // A probe of an address takes the first event of a call with it; the others come back at once, and the address may
    // be available again before the probe is answered.
    @Test
    void whatIsBehindAnEventThatLeftMemoryDoesNotOvertakeIt() {
        scan(rows(3, "a"));
        List<LaneEvent> call = take();
        lanes.putBack(call.get(1));
        lanes.waiting().parkWithoutTime(lane("a"), NOW);
        lanes.putBack(call.get(2));
        lanes.waiting().unparkLane(lane("a"));

        done(call.get(0));

        assertThat(lanes.readyRoutes()).isEmpty();
        assertThat(lookUp(row(2, "a"), row(3, "a"))).containsExactly(lane("a"));
        assertThat(seqs(take())).containsExactly(2L, 3L);
    }

    /** It may be replayed, and its key resumed, before the rest of its call is answered. */
    @Test
    void whatIsBehindADeadEventThatPausedItsKeyDoesNotOvertakeItsReplay() {
        scan(rows(3, "a"));
        List<LaneEvent> call = take();
        lanes.finished(call.get(0));
        lanes.settled(call.get(0));
        lanes.pausedByDead(call.get(1), "dead");
        lanes.settled(call.get(1));
        lanes.waiting().resume(lane("a"));

        lanes.putBack(call.get(2));

        assertThat(lanes.readyRoutes()).isEmpty();
        assertThat(lookUp(row(2, "a"), row(3, "a"))).containsExactly(lane("a"));
        assertThat(seqs(take())).containsExactly(2L, 3L);
    }
}
