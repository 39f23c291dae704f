package catbox.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The times that are promised of relays with default settings, measured on real processes. They hold on a machine that has
 * nothing else to do. So the gate does not measure them: there relays whose time passes only when a test lets it are held
 * to the same times, and real ones take over long before their time-out.
 */
final class Times {

    static final Duration TAKEOVER_MAX = Duration.ofSeconds(3);

    /** A partition waits for its takeover, for its next event, and for the move to the relay that comes back. */
    static final Duration SILENCE_MAX = TAKEOVER_MAX.plusSeconds(1);

    static final Duration MOVE_MAX = Duration.ofMillis(500);

    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(5);

    /** With such a start three relays of five are away at a time. */
    private static final Duration LONG_START = Duration.ofSeconds(12);

    private final Path folder;
    private final Consumer<String> progress;

    /** A time that was measured, and what it has to be below. */
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
