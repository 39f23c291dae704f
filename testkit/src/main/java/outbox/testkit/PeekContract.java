package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.spi.relay.PeekRequest.Position;
import outbox.spi.relay.PeekResult;

/** A peek at all partitions shows which have new events, and which delayed events came due since the last one. */
interface PeekContract extends ContractPart {

    @ParameterizedTest
    @ValueSource(ints = {1, 6, 7, 64})
    default void namesThePartitionsThatHaveNewEvents(int partitions) {
        PartitionScan scan = underTest().partitions(partitions);
        assertThat(scan.poll(null).partitions()).isEmpty();
        List<EventEnvelope> events =
                List.of(Events.ofKey("a"), Events.ofKey("b"), Events.ofKey("b"), Events.ofKey(null));
        events.forEach(underTest()::publish);

        assertThat(scan.poll(null).partitions())
                .isEqualTo(events.stream().map(scan::partitionOf).collect(Collectors.toSet()));
    }

    @Test
    default void namesNoPartitionThatWasNotAskedFor() {
        EventEnvelope event = underTest().publish(Events.ofKey(PartitionContract.FIRST_KEY));
        PartitionScan scan = underTest().partitions();

        assertThat(scan.poll(List.of(from(1, 0), from(2, 0)), null).partitions())
                .isEmpty();
        assertThat(scan.poll(List.of(from(scan.partitionOf(event), 0)), null).partitions())
                .containsExactly(0);
        assertThat(scan.poll(List.of(), null).partitions()).isEmpty();
    }

    @Test
    default void findsNewEventsBeyondThePositionOfEachPartitionOnly() {
        EventEnvelope first = underTest().publish(Events.ofKey("a"));
        EventEnvelope second = underTest().publish(Events.ofKey("b"));
        PartitionScan scan = underTest().partitions();
        int one = scan.partitionOf(first);
        int two = scan.partitionOf(second);
        assertThat(one).isNotEqualTo(two);
        long seq = scan.read(first).seq();
        long nextSeq = scan.read(second).seq();

        assertThat(scan.poll(List.of(from(one, seq), from(two, nextSeq)), null).partitions())
                .isEmpty();
        assertThat(scan.poll(List.of(from(one, seq - 1), from(two, nextSeq)), null)
                        .partitions())
                .containsExactly(one);
        assertThat(scan.poll(List.of(from(one, seq), from(two, nextSeq - 1)), null)
                        .partitions())
                .containsExactly(two);
    }

    @Test
    default void ignoresLanesThatAreLeftOut() {
        EventEnvelope left = underTest().publish(Events.ofKey(PartitionContract.FIRST_KEY));
        List<Position> position = List.of(new Position(0, 0, Set.of(RelayNode.hashOf(left))));
        PartitionScan scan = underTest().partitions();

        assertThat(scan.poll(position, null).partitions()).isEmpty();
        underTest().publish(Events.ofKey(PartitionContract.SECOND_KEY));
        assertThat(scan.poll(position, null).partitions()).containsExactly(0);
    }

    @Test
    default void showsOnlyWhatIsInOrder() {
        PartitionScan scan = underTest().partitions();
        underTest().publish(delayed("a", ClaimContract.FAR_AHEAD));
        EventEnvelope event = underTest().publish(Events.ofKey("b"));
        int partition = scan.partitionOf(event);

        RelayNode.fail(underTest(), event, Duration.ofHours(1));
        assertThat(scan.poll(null).partitions()).containsExactly(partition);
        RelayNode.settleAside(underTest(), SettleItems.done(event));
        assertThat(scan.poll(null).partitions()).isEmpty();
        EventEnvelope due = underTest().publish(delayed("c", ClaimContract.LONG_AGO));
        assertThat(scan.poll(null).partitions()).containsExactly(scan.partitionOf(due));
    }

    @Test
    default void showsAnEventFromItsCommitOn() {
        PartitionScan scan = underTest().partitions();
        try (StoreFixture.Session session = underTest().fixture().newSession()) {
            session.begin();
            session.store().store(List.of(Events.any()), null);
            assertThat(scan.poll(null).partitions()).isEmpty();
            session.commit();
        }
        assertThat(scan.poll(null).partitions()).hasSize(1);
    }

    @Test
    default void aFirstPeekShowsTheTimeAndNoDueLanes() {
        underTest().publish(delayed("a", ClaimContract.LONG_AGO));
        Instant earlier = underTest().row(underTest().publish(Events.any())).createdAt();

        PeekResult polled = underTest().partitions().poll(null);

        assertThat(polled.lanesDue()).isEmpty();
        assertThat(polled.dueCutOff()).isFalse();
        assertThat(polled.dueUntil()).isBetween(earlier, earlier.plusSeconds(600));
    }

    @Test
    default void showsOnceThatADelayedEventCameDue() {
        PartitionScan scan = underTest().partitions();
        Instant since = scan.now();
        EventEnvelope event = underTest().publish(delayed("a", since.plusMillis(100)));
        int lane = RelayNode.hashOf(event);

        List<PeekResult> peeks = new ArrayList<>(List.of(scan.poll(since)));
        Await.until("the delayed event came due", () -> {
            PeekResult last = peeks.get(peeks.size() - 1);
            peeks.add(scan.poll(last.dueUntil()));
            return last.lanesDue().contains(lane);
        });

        assertThat(peeks.stream().filter(peek -> peek.lanesDue().contains(lane)))
                .hasSize(1);
        assertThat(peeks).extracting(PeekResult::dueUntil).isSorted();
        assertThat(peeks).noneMatch(PeekResult::dueCutOff);
        assertThat(scan.shows(event)).isTrue();
        assertThat(scan.poll(since).lanesDue()).containsExactly(lane);
    }

    @Test
    default void showsDueLanesInTheGivenPartitionsOnly() {
        PartitionScan scan = underTest().partitions();
        EventEnvelope asked = underTest().publish(delayed("a", ClaimContract.LONG_AGO));
        EventEnvelope other = underTest().publish(delayed("b", ClaimContract.LONG_AGO));
        assertThat(scan.partitionOf(asked)).isNotEqualTo(scan.partitionOf(other));
        long beyond = scan.read(asked).seq();

        PeekResult polled =
                scan.poll(List.of(from(scan.partitionOf(asked), beyond)), ClaimContract.LONG_AGO.minusSeconds(1));

        assertThat(polled.lanesDue()).containsExactly(RelayNode.hashOf(asked));
        assertThat(polled.partitions()).isEmpty();
    }

    @Test
    default void showsNothingThatCameDueAtOrBeforeTheLastPeek() {
        EventEnvelope event = underTest().publish(delayed("a", ClaimContract.LONG_AGO));
        PartitionScan scan = underTest().partitions();

        assertThat(scan.poll(ClaimContract.LONG_AGO).lanesDue()).isEmpty();
        assertThat(scan.poll(ClaimContract.LONG_AGO.minusMillis(1)).lanesDue())
                .containsExactly(RelayNode.hashOf(event));
    }

    @Test
    default void takesNeitherPlainNorRetriedNorSettledEventsForDueOnes() {
        underTest().publish(Events.ofKey("a"));
        EventEnvelope retried = underTest().publish(delayed("b", ClaimContract.LONG_AGO));
        EventEnvelope done = underTest().publish(delayed("c", ClaimContract.LONG_AGO));
        RelayNode.fail(underTest(), retried, Duration.ZERO);
        RelayNode.settleAside(underTest(), SettleItems.done(done));

        PeekResult polled = underTest().partitions().poll(ClaimContract.LONG_AGO.minusSeconds(1));

        assertThat(polled.lanesDue()).isEmpty();
        assertThat(polled.partitions()).isNotEmpty();
    }

    @Test
    default void takesAReplayedEventForADueOne() {
        PartitionScan scan = underTest().partitions();
        EventEnvelope event = underTest().publish(Events.ofKey("a"));
        RelayNode.settleAside(underTest(), SettleItems.dead(event, 0, "broken"));
        Instant since = scan.now();
        scan.awaitAfter(since);

        underTest().replay(event.eventId());

        assertThat(scan.poll(since).lanesDue()).containsExactly(RelayNode.hashOf(event));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    default void showsManyDueLanesInSeveralPeeksAndMissesNone(int secondsApart) {
        List<EventEnvelope> events = IntStream.range(0, 2_100)
                .mapToObj(n -> delayed("key-" + n, ClaimContract.LONG_AGO.plusSeconds((long) n * secondsApart)))
                .toList();
        underTest().publishAll(events);
        PartitionScan scan = underTest().partitions();

        Set<Integer> lanes = new HashSet<>();
        PeekResult polled = scan.poll(ClaimContract.LONG_AGO.minusSeconds(1));
        lanes.addAll(polled.lanesDue());
        int peeks = 1;
        while (polled.dueCutOff() && peeks < 10) {
            Instant until = polled.dueUntil();
            polled = scan.poll(until);
            assertThat(polled.dueUntil()).isAfter(until);
            lanes.addAll(polled.lanesDue());
            peeks++;
        }

        assertThat(polled.dueCutOff()).isFalse();
        assertThat(lanes).isEqualTo(events.stream().map(RelayNode::hashOf).collect(Collectors.toSet()));
    }

    @Test
    default void goesOnFromTheStoresTimeWhenItsClockWasSetBack() {
        underTest().publish(delayed("a", ClaimContract.FAR_AHEAD));
        PartitionScan scan = underTest().partitions();
        Instant now = scan.now();

        PeekResult polled = scan.poll(ClaimContract.FAR_AHEAD.plusSeconds(1));

        assertThat(polled.lanesDue()).isEmpty();
        assertThat(polled.dueCutOff()).isFalse();
        assertThat(polled.dueUntil()).isBetween(now, now.plusSeconds(600));
    }

    @Test
    default void showsHowLongUntilTheNextDelayedEventIsDue() {
        PartitionScan scan = underTest().partitions();
        Instant now = scan.now();
        underTest().publish(Events.ofKey("a"));
        underTest().publish(delayed("a", ClaimContract.LONG_AGO));
        EventEnvelope retried = underTest().publish(Events.ofKey("b"));
        RelayNode.fail(underTest(), retried, Duration.ofMinutes(30));
        assertThat(scan.poll(null).nextDue()).isNull();

        underTest().publish(delayed("a", now.plus(Duration.ofHours(2))));
        EventEnvelope next = underTest().publish(delayed("b", now.plus(Duration.ofHours(1))));

        assertThat(scan.poll(null).nextDue()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
        assertThat(scan.poll(now).nextDue()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
        RelayNode.settleAside(underTest(), SettleItems.done(next));
        assertThat(scan.poll(null).nextDue()).isBetween(Duration.ofMinutes(110), Duration.ofHours(2));
    }

    private static Position from(int partition, long afterSeq) {
        return new Position(partition, afterSeq, Set.of());
    }

    private static EventEnvelope delayed(String key, Instant time) {
        return Events.sample().orderingKey(key).availableAt(time).build();
    }
}
