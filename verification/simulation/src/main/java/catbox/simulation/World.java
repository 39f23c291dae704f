package catbox.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import outbox.spi.TimeSource;

/**
 * Virtual time, chance, and what is to happen next. Everything happens on one thread; things that are due at the same
 * time happen in an order that the seed decides.
 */
final class World {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    /** How deeply calls in flight may be nested. */
    private static final int DEPTH_MAX = 4;

    private static final int VIOLATIONS_MAX = 20;

    final RandomGenerator random;
    /** Null without a listener, so that an unrecorded run costs nothing. */
    private final @Nullable Consumer<String> log;

    /** The clock of the store, which an administrator may set. */
    private Duration storeClockOffset = Duration.ZERO;

    /** Brings a store with a clock of its own to the world's time, and reads that clock. */
    private @Nullable StoreTime storeTime;

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final Map<Mortal, Long> frozenUntil = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private @Nullable Mortal running;
    private long nowNanos;
    private long taskCount;
    private long trace = 17;
    private int depth;

    /** Something that is to happen, on behalf of a process or of none. */
    private record Task(
            long atNanos, int lot, long number, @Nullable Mortal process, Runnable action) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            int byLot = byTime != 0 ? byTime : Integer.compare(lot, other.lot);
            return byLot != 0 ? byLot : Long.compare(number, other.number);
        }
    }

    /** @param log receives what happens, for a person who wants to know why a run went wrong */
    World(long seed, @Nullable Consumer<String> log) {
        this.log = log;
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    // ---- chance --------------------------------------------------------------------------------------------------

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    Duration between(Duration least, Duration most) {
        return Duration.ofNanos(random.nextLong(least.toNanos(), most.toNanos() + 1));
    }

    Duration millis(long least, long most) {
        return Duration.ofMillis(random.nextLong(least, most + 1));
    }

    <T> T anyOf(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    // ---- time ----------------------------------------------------------------------------------------------------

    long nowNanos() {
        return nowNanos;
    }

    Duration elapsed() {
        return Duration.ofNanos(nowNanos);
    }

    /** The store's clock. */
    TimeSource storeClock() {
        return new TimeSource() {
            @Override
            public long nanoTime() {
                return nowNanos;
            }

            @Override
            public Instant instant() {
                return storeTime == null ? START.plusNanos(nowNanos).plus(storeClockOffset) : storeTime.instant();
            }
        };
    }

    /** From here on the store is a real one. */
    void follow(StoreTime real) {
        storeTime = real;
    }

    /** Called before a command that counts by the store's clock. */
    void keepStoreTime() {
        if (storeTime != null) {
            storeTime.keep();
        }
    }

    /** How far the store's clock is to have gone since the beginning. */
    long storeNanos() {
        return nowNanos + storeClockOffset.toNanos();
    }

    /** How long after it was taken over a former owner may believe in its lease: the clock of a real store is not exact. */
    Duration leaseError() {
        return storeTime == null ? Duration.ZERO : StoreTime.ERROR_MAX;
    }

    void jumpStoreClock(Duration by) {
        storeClockOffset = storeClockOffset.plus(by);
    }

    // ---- what happens --------------------------------------------------------------------------------------------

    void in(Duration delay, @Nullable Mortal process, Runnable action) {
        long at = nowNanos + Math.max(0, delay.toNanos());
        tasks.add(new Task(at, random.nextInt(), taskCount++, process, action));
    }

    /** Lets everything happen that is due until then, or until the condition holds. */
    void runUntil(Duration end, BooleanSupplier done) {
        while (!tasks.isEmpty() && tasks.element().atNanos() <= end.toNanos()) {
            if (done.getAsBoolean()) {
                return;
            }
            happen(tasks.remove());
        }
        nowNanos = Math.max(nowNanos, end.toNanos());
    }

    /** Time passes in the middle of a call, and everything else continues. */
    void pass(Duration duration) {
        if (depth >= DEPTH_MAX) {
            return;
        }
        Mortal caller = running;
        long end = nowNanos + duration.toNanos();
        depth++;
        try {
            while (!tasks.isEmpty() && tasks.element().atNanos() <= end) {
                happen(tasks.remove());
            }
        } finally {
            depth--;
            running = caller;
        }
        nowNanos = Math.max(nowNanos, end);
    }

    /** Time passes while the process whose task is running stands still. */
    void freeze(Duration duration) {
        Mortal frozen = running;
        if (frozen != null) {
            frozenUntil.merge(frozen, nowNanos + duration.toNanos(), Math::max);
        }
        pass(duration);
    }

    private void happen(Task task) {
        nowNanos = Math.max(nowNanos, task.atNanos());
        Mortal process = task.process();
        if (process != null && process.isDead()) {
            return;
        }
        long thaws = process == null ? 0 : frozenUntil.getOrDefault(process, 0L);
        if (thaws > nowNanos) {
            tasks.add(new Task(thaws, task.lot(), task.number(), process, task.action()));
            return;
        }
        mark(task.number() + nowNanos);
        running = process;
        try {
            task.action().run();
        } catch (SimulatedCrash crash) {
            mark(1); // The process is gone; no other notices.
        }
    }

    // ---- the story and its end -----------------------------------------------------------------------------------

    /** Records what happens. The text is made only for a listener. */
    void note(String who, Object what) {
        if (log != null) {
            log.accept(elapsed() + " " + who + ": " + what);
        }
    }

    void note(String who, String verb, Object what) {
        if (log != null) {
            note(who, verb + " " + what);
        }
    }

    void violation(String what) {
        if (violations.size() < VIOLATIONS_MAX) {
            violations.add("at " + elapsed() + ": " + what);
            note("VIOLATION", what);
        }
    }

    List<String> violations() {
        return violations;
    }

    /** Makes something part of the trace. */
    void mark(long what) {
        trace = trace * 31 + what;
    }

    /** A number that two runs share only if the same things happened at the same times. */
    long trace() {
        return trace;
    }

    /** A process, which can die. */
    interface Mortal {
        boolean isDead();
    }

    /** Ends whatever a process was doing. */
    static final class SimulatedCrash extends Error {
        private static final long serialVersionUID = 1L;

        SimulatedCrash() {
            super("crash", null, false, false);
        }
    }
}
