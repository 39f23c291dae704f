package outbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.OutboxException;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.deliver.DestinationGates;
import outbox.relay.internal.loop.LoopScheduler;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.internal.model.Pacing;
import outbox.relay.internal.node.RelayNode;
import outbox.relay.observe.RelayEvent;
import outbox.testkit.ManualTime;
import outbox.testkit.RecordingDestination;

/** One node of a {@link Rig}, with clocks, destinations and a line to the store of its own. */
final class RigNode implements LoopScheduler {

    private static final Duration FAILURE_REST = Duration.ofMillis(50);

    final ManualTime clock = new ManualTime();
    final Line line = new Line();
    final RecordingDestination destination;
    final RecordingDestination elsewhere;
    final List<RelayEvent> notified = new ArrayList<>();
    final RelayNode relay;
    private final DestinationGates gates;

    private final Rig rig;
    private final List<Place> places = new ArrayList<>();
    private boolean frozen;
    private boolean suspended;
    private int loopRuns;

    RigNode(Rig rig, RelayConfig config, boolean prepared) {
        this.rig = rig;
        this.destination = new RecordingDestination(rig.traits);
        this.elsewhere = new RecordingDestination(rig.traits);
        Map<String, DestinationGate> gates = Map.of(
                "there", new DestinationGate("there", destination, rig.treatment, clock, notified::add),
                "elsewhere", new DestinationGate("elsewhere", elsewhere, rig.treatment, clock, notified::add));
        RelayContext around = new RelayContext(config, rig.router, gates, clock, notified::add, Pacing.MEASURED);
        this.gates = around.gates();
        this.relay = new RelayNode(line.stores(rig.store), around, rig::newId, this);
        if (prepared) {
            relay.prepared();
        }
    }

    void start() {
        relay.join();
        Handle heartbeating = add("beat", relay::heartbeatOnce);
        Handle assigning = add("assign", relay::assignOnce);
        relay.wakers(new RelayNode.Wakers(heartbeating::wake, assigning::wake));
        add("poll", relay::peekOnce);
        add("upkeep", relay::upkeepOnce);
    }

    Set<Integer> loops() {
        return relay.partitions();
    }

    DestinationGate gate(String name) {
        return gates.find(name).orElseThrow();
    }

    <T extends RelayEvent> List<T> notified(Class<T> kind) {
        return notified.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    // ---- what can befall a process -------------------------------------------------------------------------------

    /** Stops its loops; its clocks run on. */
    void freeze() {
        frozen = true;
    }

    /** Stops its loops and its clocks, as on a machine that is suspended. */
    void suspend() {
        frozen = true;
        suspended = true;
    }

    void thaw() {
        frozen = false;
        suspended = false;
    }

    /** Ends its process alone: its connections end with it, which a store may see. */
    void killProcess() {
        loseConnection();
        kill();
    }

    /** It loses the connection of its heartbeats, until the next heartbeat opens another. */
    void loseConnection() {
        notified(RelayEvent.Joined.class).forEach(joined -> rig.store.disconnect(joined.session()));
    }

    /** Ends it as a process ends whose machine has lost its power. */
    void kill() {
        frozen = true;
        places.clear();
    }

    /** Lets it stop as it does when its process is asked to end. */
    void stop() {
        relay.stop();
        for (int waited = 0; !relay.isStopped() && waited < 200; waited++) {
            rig.pass(Duration.ofMillis(100));
        }
        relay.leave();
        kill();
    }

    // ---- loops ---------------------------------------------------------------------------------------------------

    void advance(Duration by) {
        if (!suspended) {
            clock.advance(by);
        }
    }

    long nextDue() {
        return frozen
                ? Long.MAX_VALUE
                : places.stream().mapToLong(place -> place.dueNanos).min().orElse(Long.MAX_VALUE);
    }

    /** Runs the loop that has waited longest; false when none is due. */
    boolean runNext(long nowNanos) {
        if (frozen) {
            return false;
        }
        Place next = places.stream()
                .min(Comparator.comparingLong(place -> place.dueNanos))
                .filter(place -> place.dueNanos <= nowNanos)
                .orElse(null);
        if (next == null) {
            return false;
        }
        next.run();
        return true;
    }

    /** How often its partitions have run. */
    int loopRuns() {
        return loopRuns;
    }

    /** Runs every partition at once, in the middle of whatever happens. */
    void runLoops() {
        places.stream().filter(place -> place.isPartition()).toList().forEach(Place::run);
    }

    @Override
    public Handle add(String name, Loop loop) {
        Place place = new Place(name, loop);
        places.add(place);
        return place;
    }

    private final class Place implements Handle {
        private final String name;
        private final Loop loop;
        private long dueNanos = rig.elapsedNanos();
        private boolean running;
        private boolean woken;

        Place(String name, Loop loop) {
            this.name = name;
            this.loop = loop;
        }

        void run() {
            running = true;
            woken = false;
            loopRuns += isPartition() ? 1 : 0;
            Duration rest = FAILURE_REST;
            try {
                rest = loop.runOnce();
            } catch (OutboxException e) {
                notified.add(new RelayEvent.PartFailed("a loop", e.toString(), e));
            } finally {
                running = false;
                dueNanos = rig.elapsedNanos() + (woken ? 0 : rest.toNanos());
            }
        }

        boolean isPartition() {
            return name.startsWith("partition");
        }

        @Override
        public void wake() {
            if (running) {
                woken = true;
            } else {
                dueNanos = Math.min(dueNanos, rig.elapsedNanos());
            }
        }

        @Override
        public void end() {
            places.remove(this);
        }
    }
}
