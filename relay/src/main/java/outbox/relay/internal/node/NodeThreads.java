package outbox.relay.internal.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.internal.SupervisedLoop;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.internal.model.Pacing;
import outbox.relay.observe.RelayEvent;
import outbox.spi.relay.WakeUpChannel;

/** Runs the loops of a node, each in its own thread. No exception ends any of them. */
public final class NodeThreads {

    /** The thread of the heartbeats. Failures name it. */
    public static final String HEARTBEAT = "outbox-relay-heartbeat";

    private final RelayNode node;
    private final RelayContext relay;
    private final WarmUp warmUp;
    private final Pacing pacing;
    private final List<SupervisedLoop> loops = new ArrayList<>();
    private final SupervisedLoop assignment;
    private final SupervisedLoop checks;

    /** @param channel carries wake-ups from other processes; null where there is none */
    public NodeThreads(RelayNode node, RelayContext relay, WarmUp warmUp, @Nullable WakeUpChannel channel) {
        this.node = node;
        this.relay = relay;
        this.warmUp = warmUp;
        this.pacing = relay.pacing();
        SupervisedLoop heartbeat = loop(HEARTBEAT, node::heartbeatOnce);
        this.assignment = loop("outbox-relay-assign", node::assignOnce);
        node.wakers(new RelayNode.Wakers(heartbeat::wake, assignment::wake));
        loop("outbox-relay-peek", node::peekOnce);
        loop("outbox-relay-upkeep", node::upkeepOnce);
        this.checks = loop("outbox-relay-check", this::checkConnections);
        if (channel != null) {
            loop("outbox-relay-listen", () -> listen(channel));
        }
    }

    /** One iteration of a loop; returns how long to rest. */
    @FunctionalInterface
    private interface Step {
        Duration runOnce() throws InterruptedException;
    }

    private SupervisedLoop loop(String name, Step step) {
        SupervisedLoop[] self = new SupervisedLoop[1];
        SupervisedLoop loop = new SupervisedLoop(name, () -> {
            Objects.requireNonNull(self[0]).rest(runOnce(name, step));
            return true;
        });
        self[0] = loop;
        loops.add(loop);
        return loop;
    }

    // Perhaps only one connection of several was broken: then this check ends the outage.
    public void checkSoon(RelayEvent event) {
        if (event instanceof RelayEvent.BreakerChanged changed
                && changed.state() == RelayEvent.BreakerChanged.State.OPEN) {
            checks.wake();
        }
    }

    // Each on a thread of its own: a connection that hangs must not delay the check of another.
    private Duration checkConnections() {
        relay.gates()
                .checkOnce(
                        check -> Thread.ofVirtual().name("outbox-relay-check").start(check), pacing.checkMax());
        return pacing.checkMin();
    }

    // A failure is published like every other event, and soon tried again, since a heartbeat cannot wait for long.
    private Duration runOnce(String name, Step step) throws InterruptedException {
        try {
            return step.runOnce();
        } catch (RuntimeException e) {
            relay.listener().on(new RelayEvent.PartFailed(name, ErrorText.of(e), e));
            return pacing.partFailureRest();
        }
    }

    private Duration listen(WakeUpChannel from) throws InterruptedException {
        node.wakeUps().listenOnce(from);
        return Duration.ZERO;
    }

    public void start() {
        loops.forEach(SupervisedLoop::start);
        Thread.ofVirtual().name("outbox-relay-prepare").start(this::prepare);
    }

    // Parallel to the loops, so that other nodes see this one while it prepares.
    private void prepare() {
        Duration took = warmUp.run();
        relay.listener().on(new RelayEvent.Prepared(took));
        node.prepared();
    }

    public List<SupervisedLoop> loops() {
        return loops;
    }

    public void interrupt() {
        loops.forEach(SupervisedLoop::interrupt);
    }

    /** Hands over the partitions of a node that was stopped, and waits until that is done or the drain timeout is over. */
    public void handOver() throws InterruptedException {
        // Carried out here from now on, and faster than by the assignment's own loop.
        assignment.stop();
        assignment.join(SupervisedLoop.STOP_WAIT);
        CountDownLatch pause = new CountDownLatch(1);
        long until = relay.time().nanoTime()
                + relay.config()
                        .cluster()
                        .drain()
                        .plus(SupervisedLoop.STOP_WAIT)
                        .toNanos();
        boolean worked;
        do {
            worked = attempt("hand over the partitions", node::assignOnce);
        } while (!node.isStopped()
                && until - relay.time().nanoTime() > 0
                && !pause.await(
                        worked
                                ? pacing.pollMin().toMillis()
                                : pacing.partFailureRest().toMillis(),
                        TimeUnit.MILLISECONDS));
    }

    /** Runs something that may fail; publishes a failure, and returns false then. */
    public boolean attempt(String what, Runnable action) {
        try {
            action.run();
            return true;
        } catch (RuntimeException e) {
            relay.listener().on(new RelayEvent.PartFailed("the attempt to " + what, ErrorText.of(e), e));
            return false;
        }
    }
}
