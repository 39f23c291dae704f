package catbox.simulation;

import catbox.simulation.World.SimulatedCrash;
import java.time.Duration;
import java.util.function.Supplier;
import outbox.OutboxException;

/** The line between a node and its store: every call may be slow, fail, lose its answer, or be the last. */
final class FaultyLine {

    private final World world;
    private final SimulatedNode node;
    private final Weather weather;
    private long calls;
    private long cutOffUntilNanos = Long.MIN_VALUE;

    /** What all nodes share of what goes wrong; changed during the run. */
    static final class Weather {
        Faults faults;
        boolean storeIsDown;

        Weather(Faults faults) {
            this.faults = faults;
        }
    }

    FaultyLine(World world, SimulatedNode node, Weather weather) {
        this.world = world;
        this.node = node;
        this.weather = weather;
    }

    long calls() {
        return calls;
    }

    /** Ends a {@link #cutOff} before its time. */
    void reconnect() {
        cutOffUntilNanos = Long.MIN_VALUE;
    }

    /** For a while this node alone does not reach the store. */
    void cutOff(Duration duration) {
        world.note(node.name(), "is cut off from the store for", duration);
        cutOffUntilNanos = world.nowNanos() + duration.toNanos();
    }

    private boolean isCutOff() {
        return world.nowNanos() < cutOffUntilNanos;
    }

    void run(Runnable call) {
        call(() -> {
            call.run();
            return true;
        });
    }

    <T> T call(Supplier<T> effect) {
        return call(effect, weather.faults.freeze(), 1);
    }

    /** @param lossFactor how much more often than others the answer of this call is lost */
    <T> T settle(Supplier<T> effect, int lossFactor) {
        return call(effect, weather.faults.freeze() + weather.faults.freezeAtSettle(), lossFactor);
    }

    private <T> T call(Supplier<T> effect, double freezeBefore, int lossFactor) {
        calls++;
        Faults faults = weather.faults;
        disturb(faults, freezeBefore);
        if (weather.storeIsDown || isCutOff() || world.chance(faults.refused())) {
            if (world.chance(0.5)) {
                node.loseConnection();
            }
            world.pass(world.millis(0, 50));
            throw new OutboxException("the simulated store cannot be reached", null);
        }
        world.keepStoreTime();
        T answer = effect.get();
        disturb(faults, faults.freeze());
        if (world.chance(faults.lostReply() * lossFactor)) {
            throw new OutboxException("the simulated answer was lost", null);
        }
        return answer;
    }

    private void disturb(Faults faults, double freeze) {
        if (node.isDead()) {
            throw new SimulatedCrash();
        }
        if (world.chance(faults.crash())) {
            node.crash();
            throw new SimulatedCrash();
        }
        if (world.chance(freeze)) {
            freeze();
        } else if (world.chance(faults.slow())) {
            world.pass(world.between(Duration.ofMillis(1), Duration.ofSeconds(3)));
        }
        if (node.isDead()) {
            throw new SimulatedCrash();
        }
    }

    private void freeze() {
        Duration frozen = world.between(Duration.ofMillis(100), Duration.ofSeconds(25));
        world.note(node.name(), "freezes for", frozen);
        boolean wallClockStops = world.chance(0.5);
        world.freeze(frozen);
        if (wallClockStops) {
            node.jumpWallClock(frozen.negated()); // As in a virtual machine that was paused.
        }
    }
}
