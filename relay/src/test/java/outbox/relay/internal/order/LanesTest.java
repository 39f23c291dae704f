package outbox.relay.internal.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.relay.Rows;

/** Order per key, calls, and what is in memory. */
class LanesTest extends LanesFixture {

    @Test
    void givesTheEventsOfAKeyInTheirOrder() {
        scan(rows(3, "a"));

        assertThat(seqs(take())).containsExactly(1L, 2L, 3L);
    }

    @Test
    void putsALateCommitBeforeThoseThatWait() {
        scan(row(5, "a"), row(6, "a"));
        scan(row(3, "a"), row(5, "a"), row(6, "a"));

        assertThat(seqs(take())).containsExactly(3L, 5L, 6L);
    }

    @Test
    void givesNothingOfAKeyWhileSomethingOfItIsUnderWay() {
        scan(row(1, "a"), row(2, "a"), row(3, "b"));
        List<LaneEvent> first = lanes.take(ROUTE, ONE_EACH);
        assertThat(seqs(first)).containsExactly(1L, 3L);

        scan(row(4, "a"));
        assertThat(take()).isEmpty();
        assertThat(lanes.readyRoutes()).isEmpty();

        lanes.finished(first.get(0));
        assertThat(lanes.readyRoutes()).containsExactly(ROUTE);
        assertThat(seqs(take())).containsExactly(2L, 4L);
    }

    @Test
    void waitsForAllOfACall() {
        scan(rows(3, "a"));
        List<LaneEvent> call = lanes.take(ROUTE, new Lanes.CallLimit(1, 2, 10, 1 << 20));
        lanes.finished(call.get(1));

        assertThat(take()).isEmpty();
        lanes.finished(call.get(0));
        assertThat(seqs(take())).containsExactly(3L);
    }

    @Test
    void givesACallNoMoreThanItWants() {
        scan(row(1, "a"), row(2, "a"), row(3, "a"), row(4, "b"), row(5, "b"), row(6, "c"));

        assertThat(seqs(lanes.take(ROUTE, new Lanes.CallLimit(2, 2, 100, 1 << 20))))
                .containsExactly(1L, 2L, 4L, 5L);
    }

    @Test
    void countsTheEventsOfACallOverAllKeys() {
        scan(row(1, "a"), row(2, "a"), row(3, "b"), row(4, "b"));

        assertThat(seqs(lanes.take(ROUTE, new Lanes.CallLimit(10, 10, 3, 1 << 20))))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void staysBelowTheBytesOfACall() {
        scan(Rows.row(1, "a", "thing", 500), Rows.row(2, "a", "thing", 500), Rows.row(3, "b", "thing", 500));

        assertThat(seqs(lanes.take(ROUTE, new Lanes.CallLimit(10, 10, 10, 2_000))))
                .containsExactly(1L, 2L);
        assertThat(seqs(take())).containsExactly(3L);
    }

    @Test
    void givesOneEventWhateverItsSize() {
        scan(Rows.row(1, "a", "thing", 5_000), row(2, "b"));

        assertThat(seqs(lanes.take(ROUTE, new Lanes.CallLimit(10, 10, 10, 100))))
                .containsExactly(1L);
    }

    @Test
    void letsASmallerKeyGoWhereALargerOneDoesNotFit() {
        scan(row(1, "a"), Rows.row(2, "b", "thing", 5_000), row(3, "c"));

        assertThat(seqs(lanes.take(ROUTE, new Lanes.CallLimit(10, 10, 10, 2_000))))
                .containsExactly(1L, 3L);
        assertThat(seqs(take())).containsExactly(2L);
    }

    @Test
    void letsKeysTakeTurns() {
        scan(row(1, "a"), row(2, "a"), row(3, "b"), row(4, "b"));
        Lanes.CallLimit one = new Lanes.CallLimit(1, 1, 1, 1_000);

        LaneEvent first = lanes.take(ROUTE, one).get(0);
        done(first);
        LaneEvent second = lanes.take(ROUTE, one).get(0);

        assertThat(first.laneId()).isEqualTo(lane("a"));
        assertThat(second.laneId()).isEqualTo(lane("b"));
    }

    @Test
    void givesOnlyWhatGoesTheSameWay() {
        scan(row(1, "a"), other(2, "a"), row(3, "a"));

        assertThat(lanes.take(OTHER, PLENTY)).isEmpty();
        List<LaneEvent> first = take();
        assertThat(seqs(first)).containsExactly(1L);
        doneAll(first);
        assertThat(take()).isEmpty();
        List<LaneEvent> second = lanes.take(OTHER, PLENTY);
        assertThat(seqs(second)).containsExactly(2L);
        doneAll(second);
        assertThat(seqs(take())).containsExactly(3L);
    }

    @Test
    void givesALateCommitItsOwnWay() {
        scan(row(5, "a"));
        scan(other(3, "a"));

        assertThat(take()).isEmpty();
        assertThat(lanes.readyRoutes()).containsExactly(OTHER);
        assertThat(seqs(lanes.take(OTHER, PLENTY))).containsExactly(3L);
    }

    @Test
    void isNotConfusedByRowsThatAreReadAgain() {
        assertThat(scan(rows(3, "a"))).isEqualTo(3);
        assertThat(scan(rows(3, "a"))).isZero();
        LaneEvent first = takeOne();
        assertThat(scan(rows(3, "a"))).isZero();
        lanes.finished(first);
        assertThat(scan(rows(3, "a"))).isZero();

        assertThat(lanes.memory().events()).isEqualTo(3);
        assertThat(seqs(take())).containsExactly(2L, 3L);
    }

    @Test
    void refusesASecondReport() {
        scan(row(1, "a"));
        LaneEvent event = takeOne();
        lanes.finished(event);

        assertThatThrownBy(() -> lanes.finished(event))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("twice");
    }

    @Test
    void keepsAnEventInMemoryUntilItIsSettled() {
        scan(row(1, "a"));
        LaneEvent event = takeOne();
        assertThat(lanes.memory().events()).isEqualTo(1);
        lanes.finished(event);
        assertThat(lanes.memory().events()).isEqualTo(1);
        assertThat(lanes.memory().bytes()).isEqualTo(event.bytes());

        lanes.settled(event);

        assertThat(lanes.memory().events()).isZero();
        assertThat(lanes.memory().bytes()).isZero();
    }

    @Test
    void putsAnEventBackThatWasNotAttempted() {
        scan(rows(3, "a"));
        LaneEvent first = takeOne();

        lanes.putBack(first);

        assertThat(seqs(take())).containsExactly(1L, 2L, 3L);
    }

    @Test
    void saysHowMuchRoomThereIs() {
        lanes = lanes(new LaneLimits(5, 10_000, 5, 5));
        assertThat(lanes.fetchCapacity()).isEqualTo(5);
        assertThat(lanes.memory().capacityLeft()).isEqualTo(5);
        assertThat(lanes.memory().bytesLeft()).isEqualTo(10_000);

        scan(Rows.row(1, "a", "thing", 500), row(2, "b"));

        assertThat(lanes.fetchCapacity()).isEqualTo(3);
        assertThat(lanes.memory().capacityLeft()).isEqualTo(3);
        assertThat(lanes.memory().bytesLeft()).isEqualTo(10_000 - 1_000 - 502);
    }

    @Test
    void hasNoRoomWhenItsBytesAreUsedUp() {
        lanes = lanes(new LaneLimits(5, 1_024, 5, 5));
        scan(Rows.row(1, "a", "thing", 523));
        assertThat(lanes.fetchCapacity()).isEqualTo(4);

        scan(row(2, "b"));

        assertThat(lanes.fetchCapacity()).isZero();
        assertThat(lanes.memory().capacityLeft()).isZero();
        assertThat(lanes.memory().bytesLeft()).isEqualTo(1);
    }

    @Test
    void passesWhatThereIsNoRoomFor() {
        lanes = lanes(new LaneLimits(2, 1 << 20, 5, 5));

        assertThat(scan(row(1, "a"), row(2, "b"), row(3, "c"))).isEqualTo(2);

        assertThat(lanes.fetchCapacity()).isZero();
        assertThat(lanes.skippedLanes()).containsExactly(lane("c"));
        doneAll(take());
        assertThat(lookUp(row(3, "c"))).containsExactly(lane("c"));
        assertThat(seqs(take())).containsExactly(3L);
    }

    @Test
    void knowsWhatMostOfThePassedLanesWaitFor() {
        assertThat(lanes.waiting().mostAwaitedTarget()).isEmpty();
        lanes = lanes(new LaneLimits(2, 1 << 20, 5, 5));
        scan(row(1, "a"), row(2, "b"), row(3, "c"), row(4, "d"), other(5, "e"));

        assertThat(lanes.waiting().mostAwaitedTarget()).contains("there");
    }

    @Test
    void skipsLanesThatComeDueBeyondThoseThatItRemembers() {
        lanes = lanes(new LaneLimits(5, 1 << 20, 5, 2, 100));

        for (String key : List.of("a", "b", "c", "d")) {
            lanes.waiting().cameDue(lane(key), NOW);
        }

        assertThat(lanes.skippedLanes()).containsExactlyInAnyOrder(lane("a"), lane("b"));
        assertThat(lanes.waiting().releaseOverflow(NOW))
                .as("the others are found by reading from the beginning")
                .isTrue();
    }

    @Test
    void countsWhatAScanMeetsAgain() {
        scan(row(1, "a"), row(2, "b"), row(3, "c"));
        lanes.waiting().pause(lane("d"), "an operator");

        assertThat(lanes.countAbove(0)).isEqualTo(3);
        assertThat(lanes.countAbove(1)).isEqualTo(2);
        assertThat(lanes.countAbove(3)).isZero();
        lanes.waiting().cameDue(lane("c"), 0); // From now on a scan leaves it out.
        assertThat(lanes.countAbove(1)).isEqualTo(1);
    }

    /** A lease that was lost takes its events out of memory; rows that were passed before must still be found. */
    @Test
    void looksUpALaneWhoseWaitingEventsWereLostAfterRowsOfItHadBeenPassed() {
        lanes = lanes(new LaneLimits(100, 1 << 20, 1, 100));
        assertThat(scan(rows(2, "a"))).isEqualTo(1);
        assertThat(lanes.hasLanesToFetch()).isFalse();

        lanes.removeWaiting(event -> true);

        assertThat(lanes.takeLanesToFetch(10)).containsExactly(lane("a"));
    }

    @Test
    void takesOutWhatWasNotBegun() {
        scan(row(1, "a"), row(2, "a"), row(3, "b"));
        LaneEvent first = lanes.take(ROUTE, new Lanes.CallLimit(1, 1, 1, 1_000)).get(0);

        assertThat(seqs(lanes.removeWaiting())).containsExactlyInAnyOrder(2L, 3L);

        assertThat(lanes.memory().events()).isEqualTo(1);
        done(first);
        assertThat(lanes.memory().events()).isZero();
        assertThat(lanes.skippedLanes()).isEqualTo(Set.of(lane("a"), lane("b")));
    }

    @Test
    void readsALaneThatIsTooLongInPieces() {
        lanes = lanes(new LaneLimits(100, 1 << 20, 2, 5));

        assertThat(scan(rows(5, "a"))).isEqualTo(2);
        assertThat(lanes.takeLanesToFetch(10)).isEmpty();
        List<LaneEvent> first = take();
        assertThat(seqs(first)).containsExactly(1L, 2L);
        doneAll(first);
        assertThat(lookUp(row(3, "a"), row(4, "a"), row(5, "a"))).containsExactly(lane("a"));
        List<LaneEvent> second = take();
        assertThat(seqs(second)).containsExactly(3L, 4L);
        doneAll(second);
        assertThat(lookUp(row(5, "a"))).containsExactly(lane("a"));
        assertThat(seqs(take())).containsExactly(5L);
        assertThat(lanes.skippedLanes()).isEmpty();
    }

    @Test
    void readsNothingNewWhileTooManyLanesArePassed() {
        lanes = lanes(new LaneLimits(100, 1 << 20, 100, 2));
        lanes.waiting().pause(lane("a"), "an operator");
        assertThat(lanes.waiting().isFull()).isFalse();
        lanes.waiting().pause(lane("b"), "an operator");

        assertThat(lanes.waiting().isFull()).isTrue();
        assertThat(lanes.fetchCapacity()).isZero();
        assertThat(lanes.memory().capacityLeft()).isEqualTo(100); // Or nothing would ever continue.
        lanes.waiting().resume(lane("a"));
        lookUp();
        assertThat(lanes.waiting().isFull()).isFalse();
        assertThat(lanes.fetchCapacity()).isEqualTo(100);
    }

    /** A page that was fetched before left the lane out, and with it what has come to the lane since. */
    @Test
    void countsALaneThatIsNoLongerSkippedAsARemoval() {
        lanes.waiting().pause(lane("a"), "a reason");
        lanes.waiting().resume(lane("a"));
        long before = lanes.removals();

        assertThat(lookUp()).containsExactly(lane("a"));

        assertThat(lanes.skippedLanes()).isEmpty();
        assertThat(lanes.removals()).isGreaterThan(before);
    }
}
