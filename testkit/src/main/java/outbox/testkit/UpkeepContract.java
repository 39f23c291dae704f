package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.OutboxStatistics;
import outbox.spi.operations.OutboxStatistics.TypeLatency;

/** Figures that cost no more than asked for, and a purge that touches nothing but what is done and old. */
interface UpkeepContract extends ContractPart {

    @Test
    default void anEmptyStoreHasEmptyFigures() {
        OutboxStatistics figures = statistics(10);

        assertThat(figures.pending()).isEqualTo(new BoundedCount(0, false));
        assertThat(figures.oldestPendingAge()).isNull();
        assertThat(figures.dead()).isEqualTo(new BoundedCount(0, false));
        assertThat(figures.settled()).isEqualTo(new OutboxStatistics.Settled(0, 0, 0, List.of()));
    }

    @Test
    default void countsWhatIsPendingUpToTheSample() {
        underTest().publishAll(Events.many(3));
        Claimer claimer = underTest().claimer();
        claimer.settle(claimer.claim(1).get(0).retry(Duration.ofHours(1), "not yet"));
        claimer.claim(1);

        assertThat(statistics(2).pending()).isEqualTo(new BoundedCount(2, true));
        assertThat(statistics(3).pending()).isEqualTo(new BoundedCount(3, false));
    }

    @Test
    default void countsWhatIsDeadUpToTheSample() {
        for (int n = 0; n < 3; n++) {
            underTest().publishDead(Events.any(), "broken");
        }

        assertThat(statistics(2).dead()).isEqualTo(new BoundedCount(2, true));
        assertThat(statistics(3).dead()).isEqualTo(new BoundedCount(3, false));
        assertThat(statistics(3).pending()).isEqualTo(new BoundedCount(0, false));
    }

    @Test
    default void saysHowLongTheOldestPendingEventHasWaited() {
        underTest().publishDone(Events.any(), 0);
        underTest().publishDead(Events.any(), "broken");
        assertThat(statistics(10).oldestPendingAge()).isNull();

        underTest().publish(Events.any());

        assertThat(statistics(10).oldestPendingAge()).isBetween(Duration.ZERO, Duration.ofMinutes(10));
    }

    @Test
    default void averagesTheFailuresBeforeSuccess() {
        underTest().publishDone(Events.any(), 0);
        underTest().publishDone(Events.any(), 3);
        underTest().publishDone(Events.any(), 1);
        underTest().publishDead(Events.any(), "broken");

        OutboxStatistics.Settled settled = statistics(10).settled();

        assertThat(settled.sampled()).isEqualTo(3);
        assertThat(settled.retriesAverage()).isEqualTo(4.0 / 3, Offset.offset(0.001));
        assertThat(settled.retriesMax()).isEqualTo(3);
    }

    @Test
    default void saysHowLongEachTypeTook() {
        underTest().publishDone(Events.ofType("A"), 0);
        underTest().publishDone(Events.ofType("A"), 0);
        underTest().publishDone(Events.ofType("B"), 0);

        List<TypeLatency> latencies = statistics(10).settled().latencies();

        assertThat(latencies).extracting(TypeLatency::eventType).containsExactlyInAnyOrder("A", "B");
        assertThat(latencies).extracting(TypeLatency::sampled).containsExactlyInAnyOrder(2, 1);
        assertThat(latencies).allSatisfy(latency -> {
            assertThat(latency.max()).isBetween(Duration.ZERO, Duration.ofMinutes(10));
            assertThat(latency.average()).isBetween(Duration.ZERO, latency.max());
        });
    }

    @Test
    default void samplesNoMoreSettledEventsThanAskedFor() {
        for (int n = 0; n < 4; n++) {
            underTest().publishDone(Events.any(), 0);
        }

        OutboxStatistics.Settled settled = statistics(3).settled();

        assertThat(settled.sampled()).isEqualTo(3);
        assertThat(settled.latencies()).extracting(TypeLatency::sampled).containsExactly(3);
    }

    private OutboxStatistics statistics(int sampleMax) {
        return underTest().fixture().statisticsStore().statistics(sampleMax);
    }

    @Test
    default void purgesWhatIsDoneAndOldEnough() {
        EventEnvelope done = Events.any();
        underTest().publishDone(done, 0);

        assertThat(purge(Duration.ofDays(1), 100)).isZero();
        assertThat(underTest().pauses(done)).isTrue();
        Await.until("a done event is purged", () -> purge(Duration.ZERO, 100) == 1);
        assertThat(underTest().pauses(done)).isFalse();
    }

    @Test
    default void purgesNothingThatIsNotDone() {
        EventEnvelope dead = Events.any();
        underTest().publishDead(dead, "broken");
        EventEnvelope retried = underTest().publish(Events.any());
        Claimer claimer = underTest().claimer();
        claimer.settle(claimer.claimOnly().retry(Duration.ZERO, "not yet"));
        EventEnvelope fresh = underTest().publish(Events.any());
        EventEnvelope done = underTest().publish(Events.any());
        claimer.claim().stream()
                .filter(held -> held.id().equals(done.eventId()))
                .forEach(held -> claimer.settle(held.done()));

        Await.until("the done event is purged", () -> purge(Duration.ZERO, 100) == 1);

        assertThat(purge(Duration.ZERO, 100)).isZero();
        assertThat(underTest().row(dead).status()).isEqualTo(EventStatus.DEAD);
        assertThat(underTest().row(retried).status()).isEqualTo(EventStatus.RETRY);
        assertThat(underTest().row(fresh).status()).isEqualTo(EventStatus.NEW);
    }

    @Test
    default void purgesAtMostAsManyAsAskedFor() {
        for (int n = 0; n < 5; n++) {
            underTest().publishDone(Events.any(), 0);
        }

        assertThat(purge(Duration.ZERO, 2)).isEqualTo(2);
        assertThat(statistics(10).settled().sampled()).isEqualTo(3);
    }

    private int purge(Duration olderThan, int max) {
        return underTest().fixture().retentionStore().purgeDone(olderThan, max);
    }
}
