package catbox.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import outbox.internal.KeyHash;
import outbox.relay.internal.node.RelayNode;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.WakeUp;

/** The processes, those that are gone among them. */
final class Fleet {

    static final int ALIVE_MAX = 4;

    private final SimulatedNode.Shared shared;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private ClaimStrategy strategy;
    private int names;
    private int ids;

    Fleet(SimulatedNode.Shared shared) {
        this.shared = shared;
        this.strategy = shared.scenario().strategy();
    }

    /** Starts a process with settings that fit by now. */
    void startOne() {
        ClusterLayout terms = new ClusterLayout(strategy, shared.store().partitions());
        SimulatedNode node = new SimulatedNode("n" + ++names, terms, () -> "s" + ++ids, shared);
        nodes.add(node);
        shared.world().in(Duration.ZERO, node, node::start);
    }

    /** What processes that start from now on are set to. */
    void setTo(ClaimStrategy changed) {
        strategy = changed;
    }

    ClaimStrategy strategy() {
        return strategy;
    }

    List<SimulatedNode> alive() {
        return nodes.stream()
                .filter(node -> !node.isDead() && !node.isLeaving())
                .toList();
    }

    /** Of a process that runs, or has run. */
    String anyName() {
        return "n" + shared.world().random.nextInt(1, names + 1);
    }

    /** A notification of a commit, which reaches all nodes a little later, or none. */
    void wake(String keyOrId) {
        World world = shared.world();
        if (world.chance(0.7)) {
            Set<Integer> lanes = new HashSet<>(Set.of(KeyHash.of(keyOrId)));
            for (int others = world.random.nextInt(3); others > 0; others--) {
                lanes.add(world.random.nextInt(Integer.MAX_VALUE)); // As if another process had committed, too.
            }
            WakeUp wakeUp = new WakeUp(lanes);
            for (SimulatedNode node : nodes) {
                world.in(world.millis(0, 3), node, () -> {
                    RelayNode relay = node.relay();
                    Runnable handOver = world.chance(0.5)
                            ? relay.wakeUps().prefetch(List.of(wakeUp))
                            : relay.wakeUps().prefetchAll(List.of(wakeUp));
                    if (world.chance(0.5)) { // The loop may run meanwhile.
                        world.in(
                                world.millis(0, 50), node, () -> relay.wakeUps().wakeLane(KeyHash.of(keyOrId)));
                    }
                    world.in(world.millis(0, 50), node, handOver);
                });
            }
        }
    }
}
