package outbox.relay.internal.settle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.OutboxException;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.relay.SettleConfig;
import outbox.relay.internal.model.Pacing;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.spi.SettleStore;
import outbox.spi.relay.PartitionOwnership;
import outbox.testkit.ManualTime;

class SettlerTest {

    private static final SettleRequest.Fence FENCE =
            new SettleRequest.Fence.Ownership(new PartitionOwnership(2, 7, "session"));

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
                        FENCE, "node-1", List.of(item(0), item(1), item(2)), SettleRequest.DoneRows.KEEP));
        assertThat(written.items()).containsExactly(item(0), item(1), item(2));
        assertThat(written.lost()).isZero();
        assertThat(written.isFenced()).isFalse();
        assertThat(settler.waiting()).isZero();
    }

    @Test
    void passesOnWhatBecomesOfDoneRows() {
        Settler deleting = new Settler(
                store, FENCE, "node-1", config.withDoneRows(SettleRequest.DoneRows.DELETE), Pacing.MEASURED, time);
        deleting.add(item(1), time.nanoTime());
        deleting.settle();

        assertThat(store.requests.get(0).doneRows()).isEqualTo(SettleRequest.DoneRows.DELETE);
    }

    @Test
    void writesAtMostTwoThousandAtOnceTheOldestFirst() {
        add(4_500);

        assertThat(settler.settle().items()).hasSize(2_000).startsWith(item(0)).endsWith(item(1_999));
        assertThat(settler.waiting()).isEqualTo(2_500);
        settler.settle();
        assertThat(settler.settle().items()).hasSize(500).endsWith(item(4_499));
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
        assertThat(settler.settle().items()).hasSize(4);
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

        assertThat(settler.settle().items()).hasSize(500);
        assertThat(settler.settle().items()).hasSize(1_000);
        assertThat(settler.settle().items()).hasSize(2_000);
    }

    @Test
    void saysThatItWasFenced() {
        add(2);
        store.answer = new SettleResult.Fenced();

        Settler.Written written = settler.settle();

        assertThat(written.isFenced()).isTrue();
        assertThat(written.lost()).isEqualTo(2);
        assertThat(written.items()).hasSize(2);
    }

    @Test
    void countsWhatChangedNothing() {
        add(2);
        store.answer = new SettleResult.Settled(List.of(SettleResult.Item.WRITTEN, SettleResult.Item.CLAIM_LOST));

        assertThat(settler.settle().lost()).isEqualTo(1);
    }

    @Test
    void countsTheTimeThatAVerdictHasWaitedElsewhere() {
        long came = time.nanoTime();
        time.advance(Duration.ofMillis(3));
        settler.add(item(0), came);

        assertThat(settler.untilDue()).isEqualTo(config.linger().minusMillis(3));
    }

    private void add(int count) {
        int first = settler.waiting();
        for (int n = first; n < first + count; n++) {
            settler.add(item(n), time.nanoTime());
        }
    }

    private static SettleItem item(int n) {
        return new SettleItem(new Settlement.Done(new Claim("event-" + n, "2@7")), 0, "there");
    }

    /** A store that only writes. */
    private final class Writes implements SettleStore {
        Duration takes = Duration.ZERO;
        final List<SettleRequest> requests = new ArrayList<>();
        boolean isAway;
        SettleResult answer;

        @Override
        public SettleResult settle(SettleRequest request) {
            if (isAway) {
                throw new OutboxException("the database is away");
            }
            requests.add(request);
            time.advance(takes);
            return answer != null
                    ? answer
                    : SettleResult.allWritten(request.items().size());
        }
    }
}
