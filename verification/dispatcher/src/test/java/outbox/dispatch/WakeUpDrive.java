package outbox.dispatch;

import java.time.Duration;
import java.util.TreeSet;
import outbox.testkit.World;

/**
 * Lets manual time pass for one instance, from wake-up to wake-up: its poller runs when the dispatcher asked for it, and
 * at no other time.
 */
final class WakeUpDrive {

    private final World world;
    private final Instance instance;
    private final long startNanos;
    /** Nanoseconds since the start. */
    private final TreeSet<Long> wakeUps = new TreeSet<>();

    private int polls;

    WakeUpDrive(World world, Instance instance) {
        this.world = world;
        this.instance = instance;
        this.startNanos = world.time.nanoTime();
        instance.dispatcher().onWake(delay -> wakeUps.add(now() + delay.toNanos()));
    }

    private long now() {
        return world.time.nanoTime() - startNanos;
    }

    int polls() {
        return polls;
    }

    /** Delivers what is queued now, then lets so much time pass. */
    void run(Duration time) {
        instance.work();
        long end = now() + time.toNanos();
        while (!wakeUps.isEmpty() && wakeUps.first() <= end) {
            long next = wakeUps.first();
            wakeUps.headSet(next, true).clear();
            world.time.advance(Duration.ofNanos(Math.max(0, next - now())));
            polls++;
            instance.poll();
            instance.work();
        }
        world.time.advance(Duration.ofNanos(end - now()));
    }
}
