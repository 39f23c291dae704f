package catbox.simulation;

import java.time.Duration;
import outbox.OutboxException;
import outbox.relay.internal.loop.LoopScheduler;

/** The threads of a process, which the world schedules. */
final class NodeLoops implements LoopScheduler {

    static final Duration FAILURE_REST = Duration.ofMillis(300);

    private final World world;
    private final SimulatedNode node;

    NodeLoops(World world, SimulatedNode node) {
        this.world = world;
        this.node = node;
    }

    @Override
    public Handle add(String body, Loop loop) {
        Place place = new Place(loop);
        place.schedule(Duration.ZERO);
        return place;
    }

    /** One loop's place, as in the real executor: one iteration at a time, and a wake-up during an iteration is kept. */
    private final class Place implements Handle {
        private final Loop run;
        private long ticket;
        private boolean running;
        private boolean woken;
        private boolean ended;

        Place(Loop loop) {
            this.run = loop;
        }

        private void schedule(Duration delay) {
            long mine = ++ticket;
            world.in(delay, node, () -> {
                if (mine == ticket && !running && !ended) {
                    run();
                }
            });
        }

        private void run() {
            running = true;
            woken = false;
            Duration rest = FAILURE_REST;
            try {
                rest = run.runOnce();
            } catch (RuntimeException e) {
                if (!(e instanceof OutboxException)) {
                    world.violation("a loop of " + node.name() + " failed: " + e);
                }
            } finally {
                running = false;
            }
            node.checkMemory();
            // Never at once: a body that does not rest would stop the world.
            schedule(woken ? Duration.ofMillis(1) : rest.plusNanos(100_000));
        }

        @Override
        public void wake() {
            if (running) {
                woken = true;
            } else if (!ended) {
                schedule(Duration.ZERO);
            }
        }

        @Override
        public void end() {
            ended = true;
        }
    }
}
