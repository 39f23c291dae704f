package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.PartitionOwnership;

/** Who lost a slot, or a claim, changes nothing, whatever happens meanwhile. */
interface FenceContract extends ContractPart {

    /** The ways in which a slot is not, or no longer, a node's. */
    enum Loss {
        OLDER_EPOCH,
        NEWER_EPOCH,
        ANOTHER_OWNER,
        ANOTHER_PARTITION,
        RELEASED,
        LEFT,
        TAKEN_OVER,
        TAKEN_BACK,
        REPARTITIONED_TO_FEWER,
        REPARTITIONED_TO_MORE,
        REPARTITIONED_AND_GUESSED,
        OUT_OF_RANGE
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    default void changesNothingForANodeThatDoesNotOwnThePartition(Loss loss) {
        RelayNode witness = underTest().relayNode("witness");
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership lost = lose(loss, node, witness);
        EventEnvelope first = underTest().publish(Events.any());
        EventEnvelope second = underTest().publish(Events.any());
        EventEnvelope third = underTest().publish(Events.ofKey("k"));
        List<OutboxEvent> before = rows(first, second, third);
        SettleItem[] items = {
            SettleItems.done(first),
            SettleItems.retry(second, 0, Duration.ZERO, "late"),
            SettleItems.pausingKey(third, 0, "k")
        };

        assertThat(node.result(new Fence.Ownership(lost), DoneRows.KEEP, items)).isEqualTo(new SettleResult.Fenced());
        assertThat(node.result(new Fence.Ownership(lost), DoneRows.DELETE, items))
                .isEqualTo(new SettleResult.Fenced());
        // Some stores have a statement of their own for a batch in which every event is done.
        assertThat(node.result(new Fence.Ownership(lost), DoneRows.KEEP, SettleItems.done(first)))
                .isEqualTo(new SettleResult.Fenced());
        assertThat(node.result(new Fence.Ownership(lost), DoneRows.DELETE, SettleItems.done(first)))
                .isEqualTo(new SettleResult.Fenced());

        assertThat(rows(first, second, third)).isEqualTo(before);
        assertThat(underTest().fixture().failedAttempts(second.eventId())).isEmpty();
        assertThat(underTest().fixture().failedAttempts(third.eventId())).isEmpty();
        assertThat(underTest().fixture().clusterStore().pauses()).isEmpty();
    }

    private PartitionOwnership lose(Loss loss, RelayNode node, RelayNode witness) {
        // Acquired, released and acquired again, so that there is an older epoch.
        node.release(node.acquire(5));
        PartitionOwnership hold = node.acquire(5);
        return switch (loss) {
            case OLDER_EPOCH -> new PartitionOwnership(5, hold.epoch() - 1, node.session());
            case NEWER_EPOCH -> new PartitionOwnership(5, hold.epoch() + 1, node.session());
            case ANOTHER_OWNER -> new PartitionOwnership(5, hold.epoch(), witness.session());
            case ANOTHER_PARTITION -> new PartitionOwnership(4, hold.epoch(), node.session());
            case OUT_OF_RANGE -> new PartitionOwnership(6, hold.epoch(), node.session());
            case RELEASED -> {
                node.release(hold);
                yield hold;
            }
            case LEFT -> {
                node.leave();
                yield hold;
            }
            case TAKEN_OVER -> {
                node.expire(witness);
                witness.acquire(5);
                yield hold;
            }
            case TAKEN_BACK -> {
                node.release(hold);
                witness.release(witness.acquire(5));
                node.acquire(5);
                yield hold;
            }
            case REPARTITIONED_TO_FEWER -> {
                repartition(4, node, witness);
                yield hold;
            }
            case REPARTITIONED_TO_MORE -> {
                repartition(9, node, witness);
                yield hold;
            }
            case REPARTITIONED_AND_GUESSED -> {
                repartition(9, node, witness);
                yield new PartitionOwnership(5, hold.epoch() + 1, node.session());
            }
        };
    }

    private void repartition(int partitions, RelayNode node, RelayNode witness) {
        node.expire(witness);
        underTest().fixture().clusterAdmin().changePartitions(partitions, "test");
        assertThat(underTest().fixture().clusterStore().repartition()).isTrue();
    }

    @Test
    default void settlesForAnExpiredOwnerWhileNoNodeTookThePartition() {
        RelayNode witness = underTest().relayNode("witness");
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership hold = node.acquire(0);
        EventEnvelope event = underTest().publish(Events.any());
        node.expire(witness);

        assertThat(node.settle(hold, SettleItems.done(event))).isEqualTo(1);
    }

    @Test
    default void settlesWhileTheNodesAreAskedToHandOver() {
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership hold = node.acquire(0);
        EventEnvelope event = underTest().publish(Events.any());
        underTest().fixture().clusterAdmin().changePartitions(12, "test");

        assertThat(node.settle(hold, SettleItems.done(event))).isEqualTo(1);
    }

    @Test
    default void aSettlementThatRacesATakeOverIsWrittenBeforeItOrNotAtAll() {
        RelayNode heir = underTest().relayNode("heir");
        for (int round = 0; round < 10; round++) {
            RelayNode node = underTest().relayNode("node-" + round);
            PartitionOwnership hold = node.acquire(0);
            EventEnvelope event = underTest().publish(Events.any());
            AtomicReference<PartitionOwnership> taken = new AtomicReference<>();
            AtomicReference<EventStatus> found = new AtomicReference<>();
            underTest().fixture().clusterStore().heartbeat(Heartbeat.of(node.session(), Claimer.BRIEF));

            Race.between(List.of(
                    () -> node.result(new Fence.Ownership(hold), DoneRows.KEEP, SettleItems.done(event)), () -> {
                        Await.until(
                                "the slot is taken over",
                                () -> !heir.tryAcquire(0).isEmpty());
                        found.set(underTest().row(event).status());
                        taken.set(new PartitionOwnership(0, heir.partition(0).epoch(), heir.session()));
                    }));

            assertThat(underTest().row(event).status()).isEqualTo(found.get());
            heir.release(taken.get());
        }
    }

    @Test
    default void tokensLetChangeOnlyEventsWhoseClaimIsStillValid() {
        RelayNode node = new RelayNode(underTest().fixture(), RelayNode.TERMS, "node");
        EventEnvelope mine = underTest().publish(Events.any());
        EventEnvelope lost = underTest().publish(Events.any());
        EventEnvelope free = underTest().publish(Events.any());
        String token = claim(mine);
        String late = claim(lost);
        underTest().fixture().claimStore().release(Set.of(new Claim(lost.eventId(), late)));
        claim(lost);
        List<OutboxEvent> before = rows(lost, free);

        SettleResult settled = node.result(
                new Fence.Tokens(),
                DoneRows.KEEP,
                SettleItems.under(token, mine, SettleItems.done(mine)),
                SettleItems.under(late, lost, SettleItems.dead(lost, 0, "late")),
                SettleItems.under(late, free, SettleItems.retry(free, 0, Duration.ZERO, "late")));

        assertThat(settled)
                .isEqualTo(new SettleResult.Settled(List.of(
                        SettleResult.Item.WRITTEN, SettleResult.Item.CLAIM_LOST, SettleResult.Item.CLAIM_LOST)));
        assertThat(underTest().row(mine).status()).isEqualTo(EventStatus.DONE);
        assertThat(rows(lost, free)).isEqualTo(before);
        assertThat(underTest().fixture().failedAttempts(lost.eventId())).isEmpty();
    }

    @Test
    default void behindTokensASettledClaimSettlesNothingMore() {
        RelayNode node = new RelayNode(underTest().fixture(), RelayNode.TERMS, "node");
        EventEnvelope event = underTest().publish(Events.any());
        String token = claim(event);
        SettleItem retry = SettleItems.under(token, event, SettleItems.retry(event, 0, Duration.ZERO, "first"));
        SettleItem done = SettleItems.under(token, event, SettleItems.done(event));

        assertThat(node.settle(new Fence.Tokens(), DoneRows.KEEP, retry)).isEqualTo(1);
        assertThat(node.settle(new Fence.Tokens(), DoneRows.KEEP, done)).isZero();

        assertThat(underTest().row(event).status()).isEqualTo(EventStatus.RETRY);
        String again = claim(event);
        assertThat(node.settle(
                        new Fence.Tokens(), DoneRows.DELETE, SettleItems.under(again, event, SettleItems.done(event))))
                .isEqualTo(1);
        assertThat(underTest().pauses(event)).isFalse();
    }

    private String claim(EventEnvelope event) {
        ClaimTerms terms = Claimer.terms(Claimer.LONG);
        assertThat(underTest().fixture().claimStore().claimOne(event.eventId(), terms))
                .isTrue();
        return terms.token();
    }

    private List<OutboxEvent> rows(EventEnvelope... events) {
        List<OutboxEvent> rows = new ArrayList<>();
        for (EventEnvelope event : events) {
            rows.add(underTest().row(event));
        }
        return rows;
    }
}
