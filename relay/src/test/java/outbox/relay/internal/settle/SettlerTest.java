package outbox.relay.internal.settle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.OutboxException;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.relay.SettleConfig;
import outbox.relay.internal.model.Pacing;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleRequest;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.LanePage;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.PeekRequest;
import outbox.spi.relay.PeekResult;
import outbox.spi.relay.Verdict;
import outbox.testkit.ManualTime;

class SettlerTest {

    private static final SettleRequest.Fence FENCE =
            new SettleRequest.Fence.Slot(new PartitionOwnership(2, 7, "session"));

    private final ManualTime time = new ManualTime();
    private final Writes store = new Writes();
    private final SettleConfig config = SettleConfig.defaults().withLinger(Duration.ofMillis(5));
    private final Settler settler = new Settler(store, FENCE, "node-1", config, Pacing.MEASURED, time);

    @Test
    void writesWhatItWasGivenInOneFencedRequest() {
        add(3);

        Settler.Written written = settler.settle();

        assertThat(store.requests)
                .containsExactly(new SettleRequest(
                        FENCE, "node-1", List.of(verdict(0), verdict(1), verdict(2)), SettleRequest.DoneRows.KEEP));
        assertThat(written.verdicts()).containsExactly(verdict(0), verdict(1), verdict(2));
        assertThat(written.events()).isEqualTo(3);
        assertThat(written.isFenced()).isFalse();
        assertThat(settler.waiting()).isZero();
    }

    @Test
    void passesOnWhatBecomesOfDoneRows() {
        Settler deleting = new Settler(
                store, FENCE, "node-1", config.withDoneRows(SettleRequest.DoneRows.DELETE), Pacing.MEASURED, time);
        deleting.add(verdict(1), time.nanoTime());
        deleting.settle();

        assertThat(store.requests.get(0).doneRows()).isEqualTo(SettleRequest.DoneRows.DELETE);
    }

    @Test
    void writesAtMostTwoThousandAtOnceTheOldestFirst() {
        add(4_500);

        assertThat(settler.settle().verdicts())
                .hasSize(2_000)
                .startsWith(verdict(0))
                .endsWith(verdict(1_999));
        assertThat(settler.waiting()).isEqualTo(2_500);
        settler.settle();
        assertThat(settler.settle().verdicts()).hasSize(500).endsWith(verdict(4_499));
        assertThat(settler.waiting()).isZero();
    }

    @Test
    void letsVerdictsWaitForMoreButNotLong() {
        add(1);
        assertThat(settler.untilDue()).isEqualTo(Duration.ofMillis(5));
        time.advance(Duration.ofMillis(3));
        add(1);
        assertThat(settler.untilDue()).as("the oldest counts").isEqualTo(Duration.ofMillis(2));
        time.advance(Duration.ofMillis(10));
        assertThat(settler.untilDue()).isZero();
    }

    @Test
    void lingersAnewForWhatComesAfterABatch() {
        add(1);
        time.advance(Duration.ofMillis(10));
        settler.settle();
        time.advance(Duration.ofMillis(10));
        add(1);

        assertThat(settler.untilDue()).isEqualTo(Duration.ofMillis(5));
    }

    @Test
    void waitsAFewTimesAsLongAsWritingTakesSoThatASlowStoreGetsLargeBatches() {
        store.takes = Duration.ofMillis(30);
        add(1);
        settler.settle();
        add(1);

        assertThat(settler.untilDue()).isEqualTo(Duration.ofMillis(90));

        store.takes = Duration.ofSeconds(7);
        settler.settle();
        add(1);

        assertThat(settler.untilDue()).as("but not for ever").isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void writesAcknowledgementsWithTheNextBatchAndKeepsThemUntilTheyAreWritten() {
        Acknowledgement acknowledgement = new Acknowledgement(new Claim("event-1", "2@7"), "there");
        settler.acknowledge(acknowledgement);
        assertThat(settler.hasAcknowledgements()).isTrue();
        assertThat(settler.waiting()).isEqualTo(1);

        store.isAway = true;
        assertThatThrownBy(settler::settle).isInstanceOf(OutboxException.class);
        assertThat(settler.hasAcknowledgements()).isTrue();

        store.isAway = false;
        settler.settle();
        assertThat(store.requests).hasSize(1);
        assertThat(store.requests.get(0).acknowledgements()).containsExactly(acknowledgement);
        assertThat(settler.waiting()).isZero();
    }

    @Test
    void isRestedBeforeItsFirstBatchAndAWhileAfterEach() {
        assertThat(settler.untilRested()).isZero();
        add(1);
        settler.settle();
        assertThat(settler.untilRested()).isEqualTo(Duration.ofMillis(5));
        time.advance(Duration.ofMillis(6));
        assertThat(settler.untilRested()).isZero();
    }

    @Test
    void isDueAtOnceWhenABatchIsFull() {
        add(1_999);
        assertThat(settler.untilDue()).isPositive();
        add(1);

        assertThat(settler.untilDue()).isZero();
    }

    @Test
    void keepsWhatTheStoreDidNotTake() {
        add(3);
        store.isAway = true;
        assertThatThrownBy(settler::settle).isInstanceOf(OutboxException.class);
        assertThat(settler.waiting()).isEqualTo(3);
        time.advance(Duration.ofMillis(5));
        assertThat(settler.untilDue()).isZero();

        store.isAway = false;
        add(1);
        assertThat(settler.settle().verdicts()).hasSize(4);
        assertThat(settler.waiting()).isZero();
    }

    @Test
    void writesSmallerBatchesAfterAFailureAndLargerOnesAgainAfterSuccess() {
        add(4_000);
        store.isAway = true;
        for (int failures = 0; failures < 2; failures++) {
            assertThatThrownBy(settler::settle).isInstanceOf(OutboxException.class);
        }
        store.isAway = false;

        assertThat(settler.settle().verdicts()).hasSize(500);
        assertThat(settler.settle().verdicts()).hasSize(1_000);
        assertThat(settler.settle().verdicts()).hasSize(2_000);
    }

    @Test
    void saysThatItWasFenced() {
        add(2);
        store.answer = PartitionStore.FENCED;

        Settler.Written written = settler.settle();

        assertThat(written.isFenced()).isTrue();
        assertThat(written.verdicts()).hasSize(2);
    }

    @Test
    void countsTheTimeThatAVerdictHasWaitedElsewhere() {
        long came = time.nanoTime();
        time.advance(Duration.ofMillis(3));
        settler.add(verdict(0), came);

        assertThat(settler.untilDue()).isEqualTo(config.linger().minusMillis(3));
    }

    private void add(int count) {
        int first = settler.waiting();
        for (int n = first; n < first + count; n++) {
            settler.add(verdict(n), time.nanoTime());
        }
    }

    private static Verdict verdict(int n) {
        return new Verdict(new Settlement.Done(new Claim("event-" + n, "2@7")), 0, "there", null);
    }

    /** A store that only writes. */
    private final class Writes implements PartitionStore {
        Duration takes = Duration.ZERO;
        final List<SettleRequest> requests = new ArrayList<>();
        boolean isAway;
        Integer answer;

        @Override
        public int settle(SettleRequest request) {
            if (isAway) {
                throw new OutboxException("the database is away");
            }
            requests.add(request);
            time.advance(takes);
            return answer != null ? answer : request.verdicts().size();
        }

        @Override
        public boolean mark(PartitionOwnership hold, Set<String> answered, Set<String> begun) {
            throw new AssertionError("settling marks nothing");
        }

        @Override
        public Map<String, Set<String>> acknowledged(Collection<String> eventIds) {
            throw new AssertionError("settling reads nothing");
        }

        @Override
        public List<PartitionPage> fetch(List<PartitionFetch> requests) {
            throw new AssertionError("settling reads nothing");
        }

        @Override
        public boolean fetchesAllAtOnce() {
            throw new AssertionError("settling reads nothing");
        }

        @Override
        public List<LanePage> fetchLanes(LaneFetch request) {
            throw new AssertionError("settling reads nothing");
        }

        @Override
        public PeekResult peek(PeekRequest request) {
            throw new AssertionError("settling reads nothing");
        }
    }
}
