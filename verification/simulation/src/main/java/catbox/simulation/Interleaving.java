package catbox.simulation;

import java.time.Duration;

/**
 * The place where a store that has forgotten its lock lets other processes run. The store of the testkit keeps its lock, and never
 * comes here; a mutant of it does, which shows that the simulator would notice.
 */
public final class Interleaving {

    private static final double OFTEN = 0.02;
    private static final ThreadLocal<World> WORLD = new ThreadLocal<>();

    private Interleaving() {}

    static void in(World world) {
        WORLD.set(world);
    }

    static void over() {
        WORLD.remove();
    }

    /** Now and then the caller stands still here, until after its lease is over. */
    public static void point() {
        World world = WORLD.get();
        if (world != null && world.chance(OFTEN)) {
            world.freeze(world.between(Duration.ofSeconds(1), Duration.ofSeconds(25)));
        }
    }
}
