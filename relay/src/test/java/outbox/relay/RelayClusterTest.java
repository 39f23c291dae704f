package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.LayoutMismatchException;
import outbox.OutboxException;
import outbox.internal.KeyHash;
import outbox.model.EventStatus;
import outbox.relay.observe.RelayEvent;
import outbox.spi.DestinationTraits;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.ClusterView.PartitionState;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;

/** How nodes come, go, and hand over, without losing or doubling anything. */
class RelayClusterTest {

    private static final ClusterLayout TERMS = RelayConfig.of("a").terms();
    private static final Integer[] ALL_SIX = {0, 1, 2, 3, 4, 5};

    private final Rig rig = new Rig();

    @Test
    void takesNothingBeforeItHasSeenTheSameMembersTwice() {
        RigNode node = rig.idle("a");
        node.relay.join();
        node.relay.heartbeatOnce();
        node.relay.assignOnce();
        assertThat(node.loops()).isEmpty();

        node.relay.heartbeatOnce();
        node.relay.assignOnce();

        assertThat(node.loops()).containsExactly(ALL_SIX);
    }

    @Test
    void waitsAnewWhenAnotherJoinsMeanwhile() {
        RigNode node = rig.idle("a");
        node.relay.join();
        node.relay.heartbeatOnce();
        RigNode other = rig.idle("b");
        other.relay.join();
        other.relay.heartbeatOnce();
        node.relay.heartbeatOnce();
        node.relay.assignOnce();
        assertThat(node.loops()).isEmpty();

        node.relay.heartbeatOnce();
        node.relay.assignOnce();

        assertThat(node.loops()).hasSize(3);
    }

    @Test
    void takesOverWithinThreeSecondsOfTheEndOfAProcess() {
        for (int phase = 0; phase < 20; phase++) {
            Rig each = new Rig();
            RigNode a = each.settled("a");
            each.pass(Duration.ofMillis(50L * phase));
            RigNode b = each.settled("b");
            assertThat(b.loops()).hasSize(3);

            a.killProcess();
            each.pass(Duration.ofMillis(2_800));

            assertThat(b.loops()).as("phase " + phase).containsExactly(ALL_SIX);
            assertThat(b.notified(RelayEvent.MemberEnded.class)).hasSize(1);
        }
    }

    @Test
    void waitsForTheTimeOutOfANodeWhoseConnectionStays() {
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");

        a.kill();
        rig.pass(Duration.ofMillis(8_900));
        assertThat(b.loops()).hasSize(3);

        rig.passSeconds(3);
        assertThat(b.loops()).containsExactly(ALL_SIX);
    }

    @Test
    void leavesANodeAloneThatLostItsConnectionAndLives() {
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");
        for (int n = 0; n < 100; n++) {
            a.loseConnection();
            rig.pass(Duration.ofMillis(130));
        }

        assertThat(b.notified(RelayEvent.MemberEnded.class)).isEmpty();
        assertThat(a.loops()).hasSize(3);
    }

    @Test
    void endsNoOtherWhenAllHaveLostTheirConnectionsTogether() {
        for (int seconds = 2; seconds <= 6; seconds++) {
            Rig each = new Rig();
            List<RigNode> nodes = List.of(each.settled("a"), each.settled("b"), each.settled("c"));
            RigNode first = nodes.get(0);
            nodes.forEach(node -> node.line.cut());
            nodes.forEach(RigNode::loseConnection);
            each.passSeconds(seconds);

            first.line.mend();
            each.pass(Duration.ofMillis(1_500));
            nodes.forEach(node -> node.line.mend());
            each.passSeconds(5);

            for (RigNode node : nodes) {
                assertThat(node.notified(RelayEvent.MemberEnded.class)).isEmpty();
                assertThat(node.notified(RelayEvent.PartitionLost.class)).isEmpty();
                assertThat(node.loops()).as("after " + seconds + " s").hasSize(2);
            }
        }
    }

    @Test
    void continuesDeliveriesWithTheHeartbeatThatTheyWaitedFor() {
        RigNode a = rig.settled("a");
        rig.settled("b");
        cutHeartbeats(a);
        rig.pass(Duration.ofMillis(2_500));
        assertThat(a.notified(RelayEvent.DeliveriesPaused.class))
                .as("there is nothing to deliver")
                .isEmpty();

        List<EventEnvelope> events = rig.publishKeys(30);
        a.relay.wakeUps().wake(outbox.spi.relay.WakeUp.ANY);
        rig.pass(Duration.ofMillis(500));
        assertThat(a.notified(RelayEvent.DeliveriesPaused.class)).hasSize(1);
        assertThat(a.notified(RelayEvent.DeliveriesPaused.class).get(0).sinceHeartbeat())
                .isGreaterThan(Duration.ofSeconds(2));
        assertThat(a.notified(RelayEvent.DeliveriesResumed.class)).isEmpty();

        a.line.before(name -> {});
        rig.pass(Duration.ofMillis(100));
        assertThat(a.notified(RelayEvent.DeliveriesResumed.class)).hasSize(1);
        assertThat(a.destination.eventIds()).as("at once").isNotEmpty();
        rig.passSeconds(5);
        rig.assertDeliveredOnce(events);
        assertThat(a.notified(RelayEvent.DeliveriesPaused.class)).hasSize(1);
    }

    private static void cutHeartbeats(RigNode node) {
        node.line.before(name -> {
            if (name.equals("heartbeat")) {
                throw new OutboxException("no connection");
            }
        });
    }

    @Test
    void beginsNothingNewWhileOthersMightTakeItForDead() {
        RigNode a = rig.settled("a");
        rig.settled("b");
        cutHeartbeats(a);
        rig.pass(Duration.ofSeconds(2));
        rig.publishKeys(30);
        a.relay.wakeUps().wake(outbox.spi.relay.WakeUp.ANY);
        rig.pass(Duration.ofMillis(500));

        assertThat(a.destination.eventIds()).isEmpty();
        assertThat(a.loops()).as("it keeps what it owns").hasSize(3);

        a.line.before(name -> {});
        rig.passSeconds(2);
        assertThat(a.destination.eventIds()).isNotEmpty();
        assertThat(a.notified(RelayEvent.PartitionLost.class)).isEmpty();
    }

    @Test
    void reportsAMissingNodeWithinTwoHeartbeatsOfTheMissingOne() {
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");

        for (int phase = 0; phase < 10; phase++) {
            rig.pass(Duration.ofMillis(1_030)); // The two do not send heartbeats at the same moment.
            assertThat(b.notified(RelayEvent.MembersMissing.class)).isEmpty();
        }
        a.freeze();
        rig.pass(Duration.ofSeconds(2));
        assertThat(b.notified(RelayEvent.MembersMissing.class))
                .containsExactly(new RelayEvent.MembersMissing(List.of("a")));

        a.thaw();
        rig.passSeconds(3);
        assertThat(b.notified(RelayEvent.MembersMissing.class))
                .containsExactly(new RelayEvent.MembersMissing(List.of("a")), new RelayEvent.MembersMissing(List.of()));
    }

    @Test
    void movesNothingToANodeThatIsNotReady() {
        RigNode a = rig.settled("a");
        RigNode b = rig.unprepared("b");
        rig.passSeconds(20);
        assertThat(a.loops()).containsExactly(ALL_SIX);
        assertThat(b.loops()).isEmpty();

        b.relay.prepared();
        rig.passSeconds(3);
        assertThat(a.loops()).hasSize(3);
        assertThat(b.loops()).hasSize(3);
    }

    @Test
    void aPlannedMoveTakesLessThanHalfASecond() {
        for (int phase = 0; phase < 20; phase++) {
            Rig each = new Rig();
            RigNode a = each.settled("a");
            RigNode b = each.unprepared("b");
            each.pass(Duration.ofSeconds(3).plusMillis(50L * phase));
            b.relay.prepared();
            awaitReleased(each, a);
            each.pass(Duration.ofMillis(400));
            assertThat(b.loops()).as("joins in phase " + phase).hasSize(3);

            each.pass(Duration.ofSeconds(5).plusMillis(30L * phase));
            a.notified.clear();
            a.relay.stop();
            awaitReleased(each, a);
            each.pass(Duration.ofMillis(400));
            assertThat(b.loops()).as("leaves in phase " + phase).containsExactly(ALL_SIX);
        }
    }

    private static void awaitReleased(Rig rig, RigNode node) {
        while (node.notified(RelayEvent.PartitionReleased.class).isEmpty()) {
            rig.pass(Duration.ofMillis(5));
        }
    }

    @Test
    void takesNothingBeforeItsFirstHeartbeat() {
        RigNode node = rig.idle("a");
        node.relay.join();

        assertThat(node.relay.assignOnce()).as("it checks again soon").isEqualTo(Duration.ofMillis(100));
        assertThat(node.relay.view()).isEmpty();
        assertThat(node.loops()).isEmpty();
    }

    @Test
    void sendsHeartbeatsSoonerWhileItIsNotSureOfTheMembers() {
        RigNode node = rig.idle("a");
        node.relay.join();

        assertThat(node.relay.heartbeatOnce()).isEqualTo(Duration.ofMillis(250));
        assertThat(node.relay.assignOnce()).isEqualTo(Duration.ofMillis(100));
        assertThat(node.relay.heartbeatOnce()).as("partitions are moving").isEqualTo(Duration.ofMillis(100));
        node.relay.assignOnce();
        assertThat(node.relay.heartbeatOnce()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void takesNothingWhenItsLeaseIsOver() {
        RigNode node = rig.idle("a");
        node.relay.join();
        node.relay.heartbeatOnce();
        node.relay.heartbeatOnce();
        node.clock.advance(Duration.ofMillis(9_500));

        node.relay.assignOnce();

        assertThat(node.line.calls("acquire")).isZero();
        assertThat(node.loops()).isEmpty();
    }

    @Test
    void beginsNoDeliveryWhenItsLeaseEndsDuringAnIteration() {
        rig.traits = new DestinationTraits(1, 1, 100, 100, 1 << 20);
        RigNode a = rig.settled("a");
        a.destination.answer(delivery -> {
            a.clock.advance(Duration.ofSeconds(10));
            return new outbox.model.Outcome.Delivered();
        });
        rig.publishKeys(40);
        a.relay.wakeUps().wake(outbox.spi.relay.WakeUp.ANY);
        rig.pass(Duration.ZERO);

        assertThat(a.destination.eventIds()).hasSize(1);
    }

    @Test
    void sharesThePartitionsOfAClusterThatStartsAtOnce() {
        RigNode a = rig.start("a");
        RigNode b = rig.start("b");
        RigNode c = rig.start("c");
        rig.passSeconds(5);

        assertThat(List.of(a.loops(), b.loops(), c.loops())).allMatch(owned -> owned.size() == 2);
        assertThat(rig.store.audit()).as("each partition was acquired once").hasSize(6);
    }

    @Test
    void sharesByWeight() {
        RigNode light = rig.start("light");
        rig.settings = config -> config.withCluster(ClusterConfig.of("heavy").withWeight(2));
        RigNode heavy = rig.start("heavy");
        rig.settings = config -> config.withCluster(ClusterConfig.of("watcher").withWeight(0));
        RigNode watcher = rig.start("watcher");
        rig.passSeconds(5);

        assertThat(light.loops()).hasSize(2);
        assertThat(heavy.loops()).hasSize(4);
        assertThat(watcher.loops()).isEmpty();
    }

    @Test
    void movesAsFewPartitionsAsNeededWhenANodeJoins() {
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");

        assertThat(a.loops()).hasSize(3);
        assertThat(b.loops()).hasSize(3).doesNotContainAnyElementsOf(a.loops());
        assertThat(a.notified(RelayEvent.PartitionReleased.class)).hasSize(3);
        assertThat(b.notified(RelayEvent.PartitionReleased.class)).isEmpty();
    }

    @Test
    void doublesNothingWhenANodeJoinsUnderLoad() {
        RigNode a = rig.settled("a");
        a.destination.delayAnswers();
        List<EventEnvelope> events = new ArrayList<>(rig.publishKeys(60));
        rig.passSeconds(1);
        rig.start("b");
        for (int n = 0; n < 30; n++) {
            rig.pass(Duration.ofMillis(100));
            events.add(rig.publish("more-" + n));
            a.destination.releaseOne();
        }
        a.destination.releaseAll();
        rig.passSeconds(5);

        rig.assertDeliveredOnce(events);
    }

    @Test
    void finishesWhatIsInFlightBeforeAPartitionMoves() {
        RigNode a = rig.settled("a");
        a.destination.delayAnswers();
        List<EventEnvelope> events = rig.publishKeys(40);
        rig.passSeconds(1);
        RigNode b = rig.start("b");
        rig.passSeconds(5);
        assertThat(b.loops()).isEmpty();
        assertThat(b.notified(RelayEvent.AcquireRefused.class))
                .as("it does not even ask")
                .isEmpty();

        a.destination.releaseAll();
        rig.passSeconds(2);

        assertThat(b.loops()).hasSize(3);
        assertThat(a.notified(RelayEvent.PartitionReleased.class)).allMatch(released -> released.abandoned() == 0);
        rig.assertDeliveredOnce(events);
    }

    @Test
    void givesUpWhatTakesLongerThanTheTimeToDrain() {
        RigNode a = rig.settled("a");
        a.destination.delayAnswers();
        List<EventEnvelope> events = rig.publishKeys(40);
        rig.passSeconds(1);
        RigNode b = rig.start("b");
        rig.passSeconds(14);

        assertThat(b.loops()).hasSize(3);
        assertThat(a.notified(RelayEvent.PartitionReleased.class).stream()
                        .mapToInt(RelayEvent.PartitionReleased::abandoned)
                        .sum())
                .isPositive();
        a.destination.releaseAll();
        rig.passSeconds(5);
        rig.assertDone(events);
        assertThat(b.destination.eventIds()).isNotEmpty();
    }

    @Test
    void leavesWithoutADuplicate() {
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");
        a.destination.delayAnswers();
        List<EventEnvelope> events = new ArrayList<>(rig.publishKeys(40));
        rig.passSeconds(1);
        a.relay.stop();
        rig.passSeconds(1);
        assertThat(a.relay.isStopped()).isFalse();
        events.addAll(rig.publishKeys(40));
        a.destination.releaseAll();
        a.stop();
        rig.passSeconds(3);

        assertThat(a.relay.isStopped()).isTrue();
        assertThat(b.loops()).containsExactly(ALL_SIX);
        rig.assertDeliveredOnce(events);
        assertThat(a.notified(RelayEvent.Left.class)).hasSize(1);
    }

    @Test
    void doesNotReturnByAHeartbeatThatWasInFlightWhenItLeft() {
        RigNode a = rig.settled("a");
        a.stop();

        a.relay.heartbeatOnce();

        assertThat(a.notified(RelayEvent.Joined.class)).hasSize(1);
    }

    @Test
    void takesOverAtOnceWhenANodeLeaves() {
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");
        a.stop();

        rig.passSeconds(2);

        assertThat(b.loops()).containsExactly(ALL_SIX);
    }

    @Test
    void takesOverAfterTheTimeoutWhenANodeDies() {
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");
        a.destination.delayAnswers();
        List<EventEnvelope> events = rig.publishKeys(40);
        rig.passSeconds(1);
        a.kill();
        rig.passSeconds(8);
        assertThat(b.loops()).as("it may still live").hasSize(3);
        rig.passSeconds(4);

        assertThat(b.loops()).containsExactly(ALL_SIX);
        rig.passSeconds(2);
        rig.assertDone(events);
    }

    @Test
    void forgetsNodesThatAreLongDead() {
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");
        a.kill();
        rig.passSeconds(45);

        assertThat(b.notified(RelayEvent.NodesForgotten.class))
                .containsExactly(new RelayEvent.NodesForgotten(List.of("a")));
    }

    @Test
    void changesNothingAfterItWasFrozenForTooLong() {
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");
        a.destination.delayAnswers();
        List<EventEnvelope> events = rig.publishKeys(40);
        rig.passSeconds(1);
        a.freeze();
        rig.passSeconds(15);
        assertThat(b.loops()).containsExactly(ALL_SIX);
        rig.assertDone(events);

        a.destination.releaseAll(); // Its answers come, and must be ignored.
        a.line.forgetCalls();
        int begun = a.destination.eventIds().size();
        a.thaw();
        rig.passSeconds(1);

        assertThat(a.line.calls("settle")).isZero();
        assertThat(a.destination.eventIds()).hasSize(begun);
        assertThat(a.notified(RelayEvent.PartitionLost.class)).hasSize(3);
        rig.passSeconds(10);
        assertThat(a.loops()).as("it has come back as another session").hasSize(3);
        assertThat(b.loops()).hasSize(3);
    }

    @Test
    void isFencedWhenItsClockStoodStill() {
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");
        a.destination.delayAnswers();
        List<EventEnvelope> events = rig.publishKeys(40);
        rig.passSeconds(1);
        int underWay = a.destination.delayed().size();
        b.destination.answer(delivery -> new outbox.model.Outcome.Rejected("b was here"));
        a.suspend();
        rig.passSeconds(15);
        List<EventEnvelope> dead = events.stream()
                .filter(event -> rig.status(event) == EventStatus.DEAD)
                .toList();
        assertThat(dead).hasSize(underWay);

        a.destination.releaseAll();
        a.thaw();
        rig.pass(Duration.ofMillis(100));

        assertThat(dead).as("what another has decided stands").allMatch(e -> rig.status(e) == EventStatus.DEAD);
        assertThat(a.notified(RelayEvent.PartitionLost.class)).hasSize(3);
    }

    @Test
    void beginsNothingInAPartitionThatItHasLost() {
        rig.traits = new DestinationTraits(1, 1, 1, 1, 1 << 20);
        RigNode a = rig.settled("a");
        a.destination.delayAnswers();
        IntStream.range(0, 60)
                .mapToObj(n -> "key-" + n)
                .filter(key -> TERMS.partitionOf(KeyHash.of(key)) == 0)
                .forEach(rig::publish);
        rig.passSeconds(1);
        takeOver(a, 0);
        a.relay.heartbeatOnce();
        a.relay.assignOnce();
        a.destination.releaseOne();
        rig.pass(Duration.ZERO);

        assertThat(a.notified(RelayEvent.PartitionLost.class)).hasSize(1);
        assertThat(a.destination.eventIds()).hasSize(1);
    }

    /** As a node would that sends no notification. */
    private void takeOver(RigNode owner, int partition) {
        PartitionState state = owner.relay.view().orElseThrow().partitions().get(partition);
        ClusterStore cluster = rig.store.clusterStore();
        cluster.release(
                List.of(new PartitionOwnership(partition, state.epoch(), Objects.requireNonNull(state.owner()))));
        cluster.join(new Member("stranger", "z", 0, "", ""), TERMS, Duration.ofSeconds(10));
        assertThat(cluster.acquire(Set.of(partition), "stranger", TERMS)).hasSize(1);
    }

    @Test
    void beginsNothingNewWhileNothingCanBeWritten() {
        rig.traits = new DestinationTraits(1, 1, 1, 1, 1 << 20);
        RigNode a = rig.settled("a");
        a.destination.delayAnswers();
        rig.publish("k", 50);
        rig.passSeconds(1);
        a.line.before(call -> {
            if (call.equals("settle")) {
                throw new OutboxException("the disk is full");
            }
        });
        for (int n = 0; n < 20; n++) {
            a.destination.releaseOne();
            rig.pass(Duration.ofMillis(100));
        }

        assertThat(a.destination.eventIds()).hasSizeLessThan(5);
    }

    @Test
    void stopsDeliveringBeforeItsLeaseEndsDuringADatabaseOutage() {
        rig.traits = new DestinationTraits(1, 1, 1, 1, 1 << 20);
        RigNode a = rig.settled("a");
        a.destination.delayAnswers();
        List<EventEnvelope> events = rig.publish("k", 50);
        rig.passSeconds(1);
        a.line.cut();
        long cutAt = rig.elapsedNanos();
        long lastBegun = 0;
        for (int n = 0; n < 200; n++) {
            int before = a.destination.eventIds().size();
            a.destination.releaseOne();
            rig.pass(Duration.ofMillis(100));
            lastBegun = a.destination.eventIds().size() > before ? rig.elapsedNanos() : lastBegun;
        }

        assertThat(Duration.ofNanos(lastBegun - cutAt)).isLessThan(Duration.ofSeconds(9));
        assertThat(a.notified(RelayEvent.PartitionLost.class)).hasSize(6);

        a.destination.releaseAll();
        a.line.mend();
        rig.passSeconds(20);
        rig.assertDone(events);
        assertThat(a.loops()).containsExactly(ALL_SIX);
    }

    @Test
    void writesWhatItCouldNotWriteDuringAShortOutage() {
        RigNode a = rig.settled("a");
        a.destination.delayAnswers();
        List<EventEnvelope> events = rig.publishKeys(20);
        rig.passSeconds(1);
        a.line.cut();
        a.destination.releaseAll();
        rig.passSeconds(4);
        assertThat(rig.status(events.get(0))).isEqualTo(EventStatus.NEW);
        assertThat(a.notified(RelayEvent.PartFailed.class)).isNotEmpty();

        a.line.mend();
        rig.passSeconds(3);

        rig.assertDeliveredOnce(events);
        assertThat(a.notified(RelayEvent.PartitionLost.class)).isEmpty();
    }

    @Test
    void releasesAPartitionThatItOwnsWithoutKnowing() {
        RigNode a = rig.idle("a");
        a.relay.join();
        a.relay.heartbeatOnce();
        a.relay.heartbeatOnce();
        a.line.after(name -> {
            if (name.equals("acquire")) {
                a.line.after(other -> {});
                throw new OutboxException("the answer was lost");
            }
        });
        assertThatThrownBy(a.relay::assignOnce).isInstanceOf(OutboxException.class);
        assertThat(a.loops()).isEmpty();

        for (int round = 0; round < 3; round++) {
            a.relay.heartbeatOnce();
            a.relay.assignOnce();
        }

        assertThat(a.loops()).containsExactly(ALL_SIX);
        assertThat(a.notified(RelayEvent.PartitionAcquired.class))
                .extracting(RelayEvent.PartitionAcquired::epoch)
                .containsOnly(2L);
    }

    @Test
    void countsTheDeathsOfFormerOwnersThoughItsAnswersWereLost() {
        rig.settled("mortal").kill();
        rig.passSeconds(15);
        RigNode a = rig.idle("a");
        a.relay.join();
        a.relay.heartbeatOnce();
        a.relay.assignOnce();
        a.relay.heartbeatOnce();
        for (String lost : List.of("acquire", "pauses")) {
            a.line.after(name -> {
                if (name.equals(lost)) {
                    a.line.after(other -> {});
                    throw new OutboxException("the answer was lost");
                }
            });
            assertThatThrownBy(a.relay::assignOnce).isInstanceOf(OutboxException.class);
            assertThat(a.loops()).isEmpty();
            a.relay.heartbeatOnce();
        }

        a.relay.assignOnce();

        assertThat(a.notified(RelayEvent.PartitionAcquired.class))
                .hasSize(6)
                .allMatch(acquired -> acquired.deaths() == 1);
    }

    @Test
    void asksTheStoreAsOftenForManyPartitionsAsForOne() {
        RigNode a = rig.idle("a");
        a.relay.join();
        a.relay.heartbeatOnce();
        a.relay.assignOnce();
        a.relay.heartbeatOnce();
        a.line.forgetCalls();

        a.relay.assignOnce();

        assertThat(a.loops()).containsExactly(ALL_SIX);
        assertThat(a.line.calls()).as("it acquires, and reads what is paused").isEqualTo(2);
    }

    @Test
    void worksAsAPrimaryWithOthersStandingBy() {
        rig.settings = config -> config.withStrategy(ClaimStrategy.PRIMARY);
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");
        assertThat(a.loops()).containsExactly(ALL_SIX);
        assertThat(b.loops()).isEmpty();
        List<EventEnvelope> events = rig.publishKeys(20);
        rig.passSeconds(1);
        rig.assertDeliveredOnce(events);

        a.kill();
        rig.passSeconds(12);

        assertThat(b.loops()).containsExactly(ALL_SIX);
    }

    @Test
    void changesItsStrategyWhileItRunsAndLosesOrDoublesNothing() {
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");
        a.destination.delayAnswers();
        b.destination.delayAnswers();
        List<EventEnvelope> events = new ArrayList<>(rig.publishKeys(40));
        rig.passSeconds(1);
        rig.store.clusterAdmin().changeStrategy(ClaimStrategy.PRIMARY, "ada");
        rig.passSeconds(2);
        a.destination.releaseAll();
        b.destination.releaseAll();
        rig.passSeconds(4);
        assertThat(a.loops()).containsExactly(ALL_SIX);
        assertThat(b.loops()).isEmpty();

        events.addAll(rig.publishKeys(40));
        rig.store.clusterAdmin().changeStrategy(ClaimStrategy.PARTITIONED, "ada");
        rig.passSeconds(5);

        assertThat(a.loops()).hasSize(3);
        assertThat(b.loops()).hasSize(3);
        rig.assertDeliveredOnce(events);
    }

    @Test
    void changesTheNumberOfPartitionsWhileItRunsAndLosesOrDoublesNothing() {
        for (int wanted : new int[] {16, 3}) {
            Rig live = new Rig();
            RigNode a = live.settled("a");
            RigNode b = live.settled("b");
            a.destination.delayAnswers();
            List<EventEnvelope> events = new ArrayList<>(live.publishKeys(60));
            live.passSeconds(1);
            live.store.clusterAdmin().changePartitions(wanted, "ada");
            live.passSeconds(2);
            events.addAll(live.publishKeys(60));
            a.destination.releaseAll();
            live.passSeconds(8);

            assertThat(live.store.partitions()).isEqualTo(wanted);
            assertThat(a.loops().size() + b.loops().size()).isEqualTo(wanted);
            assertThat(Math.abs(a.loops().size() - b.loops().size())).isLessThanOrEqualTo(1);
            live.assertDeliveredOnce(events);
            assertThat(a.notified(RelayEvent.Repartitioned.class).size()
                            + b.notified(RelayEvent.Repartitioned.class).size())
                    .isEqualTo(1);
        }
    }

    @Test
    void refusesToStartOnOtherTerms() {
        rig.settled("a");
        rig.settings = config -> config.withPartitions(12);
        RigNode other = rig.idle("b");

        assertThatThrownBy(other.relay::join).isInstanceOf(LayoutMismatchException.class);
        assertThat(other.notified).isEmpty();
    }

    @Test
    void wakesOnlyLanesOfItsOwn() {
        RigNode a = rig.settled("a");
        RigNode b = rig.settled("b");
        int lane = a.loops().iterator().next();

        assertThat(a.relay.wakeUps().wakeLane(lane)).isTrue();
        assertThat(b.relay.wakeUps().wakeLane(lane)).isFalse();
    }

    @Test
    void reportsTheMembers() {
        RigNode a = rig.settled("a");
        rig.settled("b");

        assertThat(a.notified(RelayEvent.MembersChanged.class))
                .containsExactly(
                        new RelayEvent.MembersChanged(List.of("a")), new RelayEvent.MembersChanged(List.of("a", "b")));
        assertThat(a.notified(RelayEvent.Rebalanced.class))
                .extracting(RelayEvent.Rebalanced::wanted)
                .extracting(Set::size)
                .containsExactly(6, 3);
        assertThat(a.relay.view().orElseThrow().members()).hasSize(2);
    }
}
