package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;

/** A member lives as long as it sends heartbeats, and a partition belongs to one live member at a time. */
interface ClusterContract extends ContractPart {

    @Test
    default void showsANewMemberAndFreePartitions() {
        RelayNode node = new RelayNode(underTest().fixture(), RelayNode.TERMS, "node");
        Member heavy = new Member(node.session(), "heavy", 7, "9.8.7-é", "[::1]:80");
        underTest().fixture().clusterStore().join(heavy, RelayNode.TERMS, Claimer.LONG);

        ClusterView view = node.view();

        assertThat(view.members()).containsExactly(heavy);
        assertThat(view.partitions())
                .extracting(ClusterView.PartitionState::partition)
                .containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(view.partitions())
                .extracting(ClusterView.PartitionState::owner)
                .containsOnlyNulls();
        assertThat(view.terms()).isEqualTo(RelayNode.TERMS);
        assertThat(view.partitionsWanted()).isNull();
    }

    @Test
    default void showsMembersInTheOrderOfTheirJoining() {
        PartitionScan clock = underTest().partitions();
        List<RelayNode> nodes = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            nodes.add(new RelayNode(underTest().fixture(), RelayNode.TERMS, "node-" + n));
        }
        // Sessions ascend as they are made. Reversed, they distinguish an order by session from an order of joining.
        Collections.reverse(nodes);
        for (RelayNode node : nodes) {
            node.join();
            clock.awaitAfter(clock.now());
        }
        nodes.get(3).view();

        assertThat(nodes.get(0).view().members())
                .containsExactlyElementsOf(nodes.stream().map(RelayNode::member).toList());
    }

    @Test
    default void aMemberWithoutHeartbeatsExpires() {
        RelayNode witness = underTest().relayNode("witness");
        RelayNode node = new RelayNode(underTest().fixture(), RelayNode.TERMS, "node");
        underTest().fixture().clusterStore().join(node.member(), RelayNode.TERMS, Claimer.BRIEF);

        Await.until("the member has expired", () -> !witness.view().members().contains(node.member()));

        assertThat(node.heartbeat()).isEmpty();
        assertThat(node.tryAcquire(0)).isEmpty();
        assertThat(witness.view().members()).containsExactly(witness.member());
        assertThat(witness.partition(0).owner()).isNull();
    }

    @Test
    default void aHeartbeatProlongsALifeByItsTimeout() {
        RelayNode witness = underTest().relayNode("witness");
        RelayNode brief = new RelayNode(underTest().fixture(), RelayNode.TERMS, "brief");
        RelayNode prolonged;
        // However slow the store is, with a long enough time-out the heartbeat comes in time.
        Duration timeout = Duration.ofMillis(50);
        do {
            timeout = timeout.multipliedBy(2);
            prolonged = new RelayNode(underTest().fixture(), RelayNode.TERMS, "prolonged");
            underTest().fixture().clusterStore().join(prolonged.member(), RelayNode.TERMS, timeout);
        } while (prolonged.heartbeat().isEmpty());
        underTest().fixture().clusterStore().join(brief.member(), RelayNode.TERMS, timeout);

        Await.until(
                "the younger member has expired",
                () -> !witness.view().members().contains(brief.member()));

        assertThat(prolonged.heartbeat()).isPresent();
        assertThat(witness.view().members()).contains(prolonged.member());
    }

    @Test
    default void aMemberThatIsConnectedIsNotEnded() {
        RelayNode witness = underTest().relayNode("witness");
        RelayNode node = underTest().relayNode("node");
        node.view();

        assertThat(underTest().fixture().clusterStore().endDisconnected(node.session(), Duration.ZERO))
                .isFalse();
        assertThat(witness.view().state(node.member()).connectionEnded()).isFalse();
        assertThat(node.heartbeat()).isPresent();
    }

    @Test
    default void showsWhoIsReadyAndHowLongItHasBeenSilent() {
        RelayNode witness = underTest().relayNode("witness");
        RelayNode node = underTest().relayNode("node");
        assertThat(witness.view().state(node.member()).ready())
                .as("before its first heartbeat")
                .isFalse();
        Heartbeat heartbeat =
                new Heartbeat(node.session(), Claimer.LONG, Duration.of(1_234_567, ChronoUnit.MICROS), false);
        underTest().fixture().clusterStore().heartbeat(heartbeat);
        assertThat(witness.view().state(node.member()).ready()).isFalse();

        ClusterView own = node.view();

        assertThat(own.state(node.member()).ready()).isTrue();
        assertThat(own.state(node.member()).silentFor()).isLessThan(Duration.ofSeconds(10));
        ClusterView.MemberState seen = witness.view().state(node.member());
        assertThat(seen.ready()).isTrue();
        assertThat(seen.interval()).isEqualTo(Claimer.LONG.dividedBy(10));
        assertThat(seen.silentFor()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
        Duration before = seen.silentFor();
        Await.until(
                "its silence grows",
                () -> witness.view().state(node.member()).silentFor().compareTo(before) > 0);
    }

    @Test
    default void anUnknownSessionNeitherSendsHeartbeatsNorAcquires() {
        RelayNode stranger = new RelayNode(underTest().fixture(), RelayNode.TERMS, "stranger");
        underTest().relayNode("node");

        assertThat(stranger.heartbeat()).isEmpty();
        assertThat(stranger.tryAcquire(0)).isEmpty();
    }

    @Test
    default void anAcquiredPartitionBelongsToItsMemberAlone() {
        RelayNode first = underTest().relayNode("first");
        RelayNode second = underTest().relayNode("second");

        PartitionOwnership ownership = first.acquire(2);

        assertThat(second.tryAcquire(2)).isEmpty();
        assertThat(first.tryAcquire(2)).isEmpty();
        assertThat(second.partition(2))
                .isEqualTo(new ClusterView.PartitionState(2, ownership.epoch(), first.session()));
        assertThat(second.partition(1).owner()).isNull();
        assertThat(second.tryAcquire(1)).hasSize(1);
    }

    @Test
    default void aPartitionBeyondTheLastHasNoOwner() {
        assertThat(underTest().relayNode("node").tryAcquire(6)).isEmpty();
    }

    @Test
    default void anEpochIsHigherWithEveryAcquisition() {
        RelayNode first = underTest().relayNode("first");
        RelayNode second = underTest().relayNode("second");
        PartitionOwnership one = first.acquire(0);
        first.release(one);
        PartitionOwnership two = first.acquire(0);
        first.release(two);
        PartitionOwnership three = second.acquire(0);
        second.leave();
        PartitionOwnership four = first.acquire(0);

        assertThat(List.of(one.epoch(), two.epoch(), three.epoch(), four.epoch()))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(first.partition(0).epoch()).isEqualTo(four.epoch());
    }

    @Test
    default void thePartitionOfAnExpiredMemberIsFree() {
        RelayNode heir = underTest().relayNode("heir");
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership lost = node.acquire(3);
        node.expire(heir);

        assertThat(heir.partition(3).owner()).isNull();
        assertThat(heir.acquire(3).epoch()).isGreaterThan(lost.epoch());
        assertThat(node.heartbeat()).isEmpty();
        assertThat(node.tryAcquire(3)).isEmpty();
        assertThat(node.tryAcquire(4)).isEmpty();
    }

    @Test
    default void partitionsAreTakenTogetherAndThoseOfALiveMemberAreLeftOut() {
        RelayNode witness = underTest().relayNode("witness");
        RelayNode mortal = underTest().relayNode("mortal");
        RelayNode other = underTest().relayNode("other");
        PartitionOwnership lost = mortal.acquire(1);
        other.acquire(2);
        mortal.expire(witness);
        long first = witness.partition(0).epoch() + 1;
        long last = witness.partition(5).epoch() + 1;

        assertThat(witness.tryAcquire(0, 1, 2, 5, 6))
                .containsExactly(
                        new AcquiredPartition(new PartitionOwnership(0, first, witness.session()), 0),
                        new AcquiredPartition(new PartitionOwnership(1, lost.epoch() + 1, witness.session()), 1),
                        new AcquiredPartition(new PartitionOwnership(5, last, witness.session()), 0));
        assertThat(witness.tryAcquire(0, 1, 2, 5, 6)).isEmpty();
        assertThat(witness.view().partitions())
                .extracting(ClusterView.PartitionState::owner)
                .containsExactly(witness.session(), witness.session(), other.session(), null, null, witness.session());
    }

    @Test
    default void oneOfManyRacingMembersGetsAPartition() {
        List<RelayNode> nodes = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            nodes.add(underTest().relayNode("node-" + n));
        }
        for (int round = 0; round < 10; round++) {
            List<PartitionOwnership> won = Collections.synchronizedList(new ArrayList<>());
            List<Runnable> racers = new ArrayList<>();
            for (RelayNode node : nodes) {
                racers.add(() -> node.tryAcquire(0).forEach(each -> won.add(each.ownership())));
            }

            Race.between(racers);

            assertThat(won).hasSize(1);
            PartitionOwnership winner = won.get(0);
            assertThat(nodes.get(0).partition(0))
                    .isEqualTo(new ClusterView.PartitionState(0, winner.epoch(), winner.owner()));
            nodes.get(0).release(winner);
        }
    }

    @Test
    default void releaseFreesWhatIsStillOwnedAndNothingElse() {
        RelayNode first = underTest().relayNode("first");
        RelayNode second = underTest().relayNode("second");
        PartitionOwnership old = first.acquire(0);
        first.release(old);
        PartitionOwnership taken = second.acquire(0);
        PartitionOwnership kept = first.acquire(1);
        PartitionOwnership freed = first.acquire(2);

        first.release(old, freed, new PartitionOwnership(1, kept.epoch() - 1, first.session()));
        first.release(
                new PartitionOwnership(0, taken.epoch(), first.session()),
                new PartitionOwnership(99, 1, first.session()));

        assertThat(first.partition(0).owner()).isEqualTo(second.session());
        assertThat(first.partition(1).owner()).isEqualTo(first.session());
        assertThat(first.partition(2).owner()).isNull();
        assertThat(second.tryAcquire(2)).hasSize(1);
    }

    @Test
    default void aMemberThatLeavesIsGoneAtOnceWithAllItsPartitions() {
        RelayNode first = underTest().relayNode("first");
        RelayNode second = underTest().relayNode("second");
        first.acquire(0);
        first.acquire(5);
        second.acquire(1);

        first.leave();
        first.leave();

        assertThat(first.heartbeat()).isEmpty();
        assertThat(second.view().members()).containsExactly(second.member());
        assertThat(second.partition(1).owner()).isEqualTo(second.session());
        assertThat(second.tryAcquire(0)).hasSize(1);
        assertThat(second.tryAcquire(5)).hasSize(1);
    }

    @Test
    default void forgetsOnlyMembersThatExpiredLongAgo() {
        RelayNode witness = underTest().relayNode("witness");
        RelayNode node = underTest().relayNode("gone");
        PartitionOwnership lost = node.acquire(0);
        node.expire(witness);

        assertThat(forget(Duration.ofHours(1))).isEmpty();
        assertThat(forget(Duration.ZERO)).containsExactly("gone");
        assertThat(forget(Duration.ZERO)).isEmpty();

        assertThat(witness.view().members()).containsExactly(witness.member());
        assertThat(witness.partition(0).owner()).isNull();
        assertThat(witness.acquire(0).epoch()).isGreaterThan(lost.epoch());
    }

    private List<String> forget(Duration olderThan) {
        return underTest().fixture().clusterStore().forgetExpired(olderThan);
    }

    @Test
    default void aClusterWithoutPartitionsShowsNoneAndGivesNone() {
        ClusterLayout lease = new ClusterLayout(ClaimStrategy.LEASE, 17);
        RelayNode node = new RelayNode(underTest().fixture(), lease, "node").join();

        assertThat(node.view().partitions()).isEmpty();
        assertThat(node.view().terms().strategy()).isEqualTo(ClaimStrategy.LEASE);
        assertThat(node.tryAcquire(0)).isEmpty();
        assertThat(underTest().fixture().clusterStore().acquire(Set.of(0), node.session(), RelayNode.TERMS))
                .isEmpty();
    }
}
