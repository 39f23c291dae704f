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

/** One look at all slots tells which have news, and which delayed events came due since the last one. */
interface PeekContract extends ContractPart {

    @ParameterizedTest
    @ValueSource(ints = {1, 6, 7, 64})
    default void namesThePartitionsThatHaveNewEvents(int partitions) {
        PartitionScan slots = underTest().partitions(partitions);
        assertThat(slots.poll(null).partitions()).isEmpty();
        List<EventEnvelope> events =
                List.of(Events.ofKey("a"), Events.ofKey("b"), Events.ofKey("b"), Events.ofKey(null));
        events.forEach(underTest()::publish);

        assertThat(slots.poll(null).partitions())
                .isEqualTo(events.stream().map(slots::partitionOf).collect(Collectors.toSet()));
    }

    @Test
    default void namesNoPartitionThatWasNotAskedFor() {
        EventEnvelope event = underTest().publish(Events.ofKey(PartitionContract.FIRST_KEY));
        PartitionScan slots = underTest().partitions();

        assertThat(slots.poll(List.of(from(1, 0), from(2, 0)), null).partitions())
                .isEmpty();
        assertThat(slots.poll(List.of(from(slots.partitionOf(event), 0)), null).partitions())
                .containsExactly(0);
        assertThat(slots.poll(List.of(), null).partitions()).isEmpty();
    }

    @Test
    default void findsNewEventsBeyondThePositionOfEachPartitionOnly() {
        EventEnvelope first = underTest().publish(Events.ofKey("a"));
        EventEnvelope second = underTest().publish(Events.ofKey("b"));
        PartitionScan slots = underTest().partitions();
        int one = slots.partitionOf(first);
        int two = slots.partitionOf(second);
        assertThat(one).isNotEqualTo(two);
        long seq = slots.read(first).seq();
        long nextSeq = slots.read(second).seq();

        assertThat(slots.poll(List.of(from(one, seq), from(two, nextSeq)), null).partitions())
                .isEmpty();
        assertThat(slots.poll(List.of(from(one, seq - 1), from(two, nextSeq)), null)
                        .partitions())
                .containsExactly(one);
        assertThat(slots.poll(List.of(from(one, seq), from(two, nextSeq - 1)), null)
                        .partitions())
                .containsExactly(two);
    }

    @Test
    default void ignoresLanesThatAreLeftOut() {
        EventEnvelope left = underTest().publish(Events.ofKey(PartitionContract.FIRST_KEY));
        List<Position> position = List.of(new Position(0, 0, Set.of(RelayNode.hashOf(left))));
        PartitionScan slots = underTest().partitions();

        assertThat(slots.poll(position, null).partitions()).isEmpty();
        underTest().publish(Events.ofKey(PartitionContract.SECOND_KEY));
        assertThat(slots.poll(position, null).partitions()).containsExactly(0);
    }

    @Test
    default void showsOnlyWhatIsInOrder() {
        PartitionScan slots = underTest().partitions();
        underTest().publish(delayed("a", ClaimContract.FAR_AHEAD));
        EventEnvelope event = underTest().publish(Events.ofKey("b"));
        int slot = slots.partitionOf(event);

        RelayNode.fail(underTest(), event, Duration.ofHours(1));
        assertThat(slots.poll(null).partitions()).containsExactly(slot);
        RelayNode.settleAside(underTest(), SettleItems.done(event));
        assertThat(slots.poll(null).partitions()).isEmpty();
        EventEnvelope due = underTest().publish(delayed("c", ClaimContract.LONG_AGO));
        assertThat(slots.poll(null).partitions()).containsExactly(slots.partitionOf(due));
    }

    @Test
    default void showsAnEventFromItsCommitOn() {
        PartitionScan slots = underTest().partitions();
        try (StoreFixture.Session session = underTest().fixture().newSession()) {
            session.begin();
            session.store().store(List.of(Events.any()), null);
            assertThat(slots.poll(null).partitions()).isEmpty();
            session.commit();
        }
        assertThat(slots.poll(null).partitions()).hasSize(1);
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
        PartitionScan slots = underTest().partitions();
        Instant since = slots.now();
        EventEnvelope event = underTest().publish(delayed("a", since.plusMillis(100)));
        int lane = RelayNode.hashOf(event);

        List<PeekResult> looks = new ArrayList<>(List.of(slots.poll(since)));
        Await.until("the delayed event came due", () -> {
            PeekResult last = looks.get(looks.size() - 1);
            looks.add(slots.poll(last.dueUntil()));
            return last.lanesDue().contains(lane);
        });

        assertThat(looks.stream().filter(look -> look.lanesDue().contains(lane)))
                .hasSize(1);
        assertThat(looks).extracting(PeekResult::dueUntil).isSorted();
        assertThat(looks).noneMatch(PeekResult::dueCutOff);
        assertThat(slots.shows(event)).isTrue();
        assertThat(slots.poll(since).lanesDue()).containsExactly(lane);
    }

    @Test
    default void showsDueLanesInTheGivenPartitionsOnly() {
        PartitionScan slots = underTest().partitions();
        EventEnvelope asked = underTest().publish(delayed("a", ClaimContract.LONG_AGO));
        EventEnvelope other = underTest().publish(delayed("b", ClaimContract.LONG_AGO));
        assertThat(slots.partitionOf(asked)).isNotEqualTo(slots.partitionOf(other));
        long beyond = slots.read(asked).seq();

        PeekResult polled =
                slots.poll(List.of(from(slots.partitionOf(asked), beyond)), ClaimContract.LONG_AGO.minusSeconds(1));

        assertThat(polled.lanesDue()).containsExactly(RelayNode.hashOf(asked));
        assertThat(polled.partitions()).isEmpty();
    }

    @Test
    default void showsNothingThatCameDueAtOrBeforeTheLastPeek() {
        EventEnvelope event = underTest().publish(delayed("a", ClaimContract.LONG_AGO));
        PartitionScan slots = underTest().partitions();

        assertThat(slots.poll(ClaimContract.LONG_AGO).lanesDue()).isEmpty();
        assertThat(slots.poll(ClaimContract.LONG_AGO.minusMillis(1)).lanesDue())
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
        PartitionScan slots = underTest().partitions();
        EventEnvelope event = underTest().publish(Events.ofKey("a"));
        RelayNode.settleAside(underTest(), SettleItems.dead(event, 0, "broken"));
        Instant since = slots.now();
        slots.awaitAfter(since);

        underTest().replay(event.eventId());

        assertThat(slots.poll(since).lanesDue()).containsExactly(RelayNode.hashOf(event));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    default void showsManyDueLanesInSeveralPeeksAndMissesNone(int secondsApart) {
        List<EventEnvelope> events = IntStream.range(0, 2_100)
                .mapToObj(n -> delayed("key-" + n, ClaimContract.LONG_AGO.plusSeconds((long) n * secondsApart)))
                .toList();
        underTest().publishAll(events);
        PartitionScan slots = underTest().partitions();

        Set<Integer> lanes = new HashSet<>();
        PeekResult polled = slots.poll(ClaimContract.LONG_AGO.minusSeconds(1));
        lanes.addAll(polled.lanesDue());
        int looks = 1;
        while (polled.dueCutOff() && looks < 10) {
            Instant until = polled.dueUntil();
            polled = slots.poll(until);
            assertThat(polled.dueUntil()).isAfter(until);
            lanes.addAll(polled.lanesDue());
            looks++;
        }

        assertThat(polled.dueCutOff()).isFalse();
        assertThat(lanes).isEqualTo(events.stream().map(RelayNode::hashOf).collect(Collectors.toSet()));
    }

    @Test
    default void goesOnFromTheStoresTimeWhenItsClockWasSetBack() {
        underTest().publish(delayed("a", ClaimContract.FAR_AHEAD));
        PartitionScan slots = underTest().partitions();
        Instant now = slots.now();

        PeekResult polled = slots.poll(ClaimContract.FAR_AHEAD.plusSeconds(1));

        assertThat(polled.lanesDue()).isEmpty();
        assertThat(polled.dueCutOff()).isFalse();
        assertThat(polled.dueUntil()).isBetween(now, now.plusSeconds(600));
    }

    @Test
    default void showsHowLongUntilTheNextDelayedEventIsDue() {
        PartitionScan slots = underTest().partitions();
        Instant now = slots.now();
        underTest().publish(Events.ofKey("a"));
        underTest().publish(delayed("a", ClaimContract.LONG_AGO));
        EventEnvelope retried = underTest().publish(Events.ofKey("b"));
        RelayNode.fail(underTest(), retried, Duration.ofMinutes(30));
        assertThat(slots.poll(null).nextDue()).isNull();

        underTest().publish(delayed("a", now.plus(Duration.ofHours(2))));
        EventEnvelope next = underTest().publish(delayed("b", now.plus(Duration.ofHours(1))));

        assertThat(slots.poll(null).nextDue()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
        assertThat(slots.poll(now).nextDue()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
        RelayNode.settleAside(underTest(), SettleItems.done(next));
        assertThat(slots.poll(null).nextDue()).isBetween(Duration.ofMinutes(110), Duration.ofHours(2));
    }

    private static Position from(int slot, long afterSeq) {
        return new Position(slot, afterSeq, Set.of());
    }

    private static EventEnvelope delayed(String key, Instant time) {
        return Events.sample().orderingKey(key).availableAt(time).build();
    }
}
