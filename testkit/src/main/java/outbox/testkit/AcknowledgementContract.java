package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.OutboxEvent;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.relay.PartitionOwnership;

/** Which of several destinations have acknowledged an event is remembered behind the fence, until it is done. */
interface AcknowledgementContract extends ContractPart {

    @Test
    default void remembersWhoHasAcknowledged() {
        EventEnvelope one = underTest().publish(Events.any());
        EventEnvelope other = underTest().publish(Events.any());
        EventEnvelope none = underTest().publish(Events.any());
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership ownership = node.acquire(0);

        assertThat(acknowledge(
                        new Fence.Ownership(ownership),
                        to(one, "here"),
                        to(one, "there/{tenantId}"),
                        to(other, "here")))
                .as("no item, so no event is changed")
                .isEqualTo(new SettleResult.Settled(List.of()));

        assertThat(acknowledged(one, other, none))
                .isEqualTo(Map.of(
                        one.eventId(), Set.of("here", "there/{tenantId}"),
                        other.eventId(), Set.of("here")));
        assertThat(underTest().row(one).attempts()).isZero();
    }

    @Test
    default void remembersAnAcknowledgementOnceHoweverOftenItIsWritten() {
        EventEnvelope event = underTest().publish(Events.any());
        PartitionOwnership ownership = underTest().relayNode("node").acquire(0);
        Fence fence = new Fence.Ownership(ownership);

        acknowledge(fence, to(event, "here"), to(event, "here"));
        acknowledge(fence, to(event, "here"), to(event, "there"));

        assertThat(acknowledged(event)).isEqualTo(Map.of(event.eventId(), Set.of("here", "there")));
    }

    @Test
    default void recordsNothingForANodeThatHasLostThePartition() {
        EventEnvelope event = underTest().publish(Events.any());
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership before = node.acquire(0);
        node.release(before);
        node.acquire(0);

        assertThat(acknowledge(new Fence.Ownership(before), to(event, "here"))).isEqualTo(new SettleResult.Fenced());

        assertThat(acknowledged(event)).isEmpty();
    }

    @Test
    default void remembersNothingForWhoHasLostTheClaim() {
        EventEnvelope event = underTest().publish(Events.any());
        OutboxEvent claimed = underTest().claimer().claimOnly().event();

        acknowledge(new Fence.Tokens(), new Acknowledgement(new Claim(claimed.eventId(), "another"), "here"));

        assertThat(acknowledged(event)).isEmpty();
    }

    @Test
    default void remembersForWhoHasTheClaim() {
        EventEnvelope event = underTest().publish(Events.any());
        Held held = underTest().claimer().claimOnly();

        acknowledge(new Fence.Tokens(), new Acknowledgement(held.claim(), "here"));

        assertThat(acknowledged(event)).isEqualTo(Map.of(event.eventId(), Set.of("here")));
    }

    @ParameterizedTest
    @EnumSource(DoneRows.class)
    default void forgetsWhenAnEventIsDone(DoneRows doneRows) {
        EventEnvelope event = underTest().publish(Events.any());
        EventEnvelope other = underTest().publish(Events.any());
        RelayNode node = underTest().relayNode("node");
        Fence fence = new Fence.Ownership(node.acquire(0));
        acknowledge(fence, to(event, "here"), to(other, "here"));

        assertThat(node.settle(fence, doneRows, fannedOut(SettleItems.done(event))))
                .isEqualTo(1);

        assertThat(acknowledged(event, other)).containsOnlyKeys(other.eventId());
    }

    @Test
    default void writesAcknowledgementsAndSettlementsTogether() {
        EventEnvelope event = underTest().publish(Events.any());
        EventEnvelope done = underTest().publish(Events.any());
        RelayNode node = underTest().relayNode("node");
        Fence fence = new Fence.Ownership(node.acquire(0));

        SettleResult changed = underTest()
                .fixture()
                .relayStore()
                .settle(new SettleRequest(
                        fence,
                        "node",
                        List.of(SettleItems.done(done)),
                        DoneRows.KEEP,
                        List.of(to(event, "here")),
                        false));

        assertThat(changed).isEqualTo(new SettleResult.Settled(List.of(SettleResult.Item.WRITTEN)));
        assertThat(acknowledged(event)).containsOnlyKeys(event.eventId());
    }

    @Test
    default void keepsAcknowledgementsThroughFailureDeathAndReplay() {
        EventEnvelope event = underTest().publish(Events.any());
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership ownership = node.acquire(0);
        acknowledge(new Fence.Ownership(ownership), to(event, "here"));

        node.settle(ownership, fannedOut(SettleItems.retry(event, 0, Duration.ZERO, "down")));
        node.settle(ownership, fannedOut(SettleItems.dead(event, 1, "broken")));
        assertThat(acknowledged(event)).containsOnlyKeys(event.eventId());
        underTest().replay(event.eventId());

        assertThat(acknowledged(event)).isEqualTo(Map.of(event.eventId(), Set.of("here")));
    }

    private static SettleItem fannedOut(SettleItem item) {
        return new SettleItem(item.settlement(), item.expectedAttempts(), item.destination(), item.pausesKey(), true);
    }

    private static Acknowledgement to(EventEnvelope event, String target) {
        return new Acknowledgement(new Claim(event.eventId(), "none"), target);
    }

    private SettleResult acknowledge(Fence fence, Acknowledgement... acknowledgements) {
        return underTest()
                .fixture()
                .relayStore()
                .settle(new SettleRequest(fence, "node", List.of(), DoneRows.KEEP, List.of(acknowledgements), false));
    }

    private Map<String, Set<String>> acknowledged(EventEnvelope... events) {
        return underTest()
                .fixture()
                .relayStore()
                .acknowledged(
                        List.of(events).stream().map(EventEnvelope::eventId).toList());
    }
}
