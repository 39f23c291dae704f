package catbox.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures the promised times of relays with default settings, on real processes. They hold on an otherwise idle
 * machine, so the gate does not measure them. In the gate, relays with simulated time are held to the same times, and
 * real relays take over long before their timeout.
 */
final class Times {

    static final Duration TAKEOVER_MAX = Duration.ofSeconds(3);

    /** Time for the takeover of a partition, its next event, and its move to the restarted relay. */
    static final Duration SILENCE_MAX = TAKEOVER_MAX.plusSeconds(1);

    static final Duration MOVE_MAX = Duration.ofMillis(500);

    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(5);

    /** With such a slow start three relays of five are down at the same time. */
    private static final Duration LONG_START = Duration.ofSeconds(12);

    private final Path folder;
    private final Consumer<String> progress;

    /** A measured time with its upper bound. */
    record Measured(String what, Duration took, Duration most) {

        boolean isGood() {
            return took.compareTo(most) < 0;
        }

        @Override
        public String toString() {
            return what + ": " + took.toMillis() + " ms, " + (isGood() ? "below " : "and not below ") + most.toMillis()
                    + " ms";
        }
    }

    Times(Path folder, Consumer<String> progress) {
        this.folder = folder;
        this.progress = progress;
    }

    List<Measured> measure() throws IOException, InterruptedException {
        progress.accept("one of three relays is killed every five seconds, and started again");
        KillLoop.Result three = kill(3, Duration.ZERO);
        progress.accept("the same with five, which are away for twelve seconds");
        KillLoop.Result five = kill(5, LONG_START);
        progress.accept("a relay joins and leaves");
        return List.of(
                new Measured("slowest takeover of three", three.slowest().after(), TAKEOVER_MAX),
                new Measured(
                        "longest time without a delivery in a partition of three", three.longestSilence(), SILENCE_MAX),
                new Measured("slowest takeover of five", five.slowest().after(), TAKEOVER_MAX),
                new Measured(
                        "longest time without a delivery in a partition of five", five.longestSilence(), SILENCE_MAX),
                new Measured(
                        "longest delay of an event in planned moves",
                        new MoveLoop(folder.resolve("moves")).longestDelay(),
                        MOVE_MAX));
    }

    private KillLoop.Result kill(int nodes, Duration away) throws IOException, InterruptedException {
        return new KillLoop(new KillLoop.Plan(
                        nodes, NODE_TIMEOUT, BETWEEN_KILLS, away, folder.resolve("kills-of-" + nodes)))
                .run();
    }
}
