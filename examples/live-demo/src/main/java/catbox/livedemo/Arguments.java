package catbox.livedemo;

import java.time.Duration;

/**
 * The demo's command line arguments.
 *
 * @param runTime how long orders are placed; zero: until Ctrl-C
 * @param kill whether the relay and Kafka are killed in the middle
 * @param help whether to print the usage only
 */
record Arguments(Duration runTime, boolean kill, boolean help) {

    static final String USAGE = """
            Usage: ./catbox demo [--kill] [--seconds N]
                   ./catbox demo --library

              (nothing)     place orders until Ctrl-C
              --kill        kill the relay, then Kafka, in the middle of 40 seconds, and count what arrived
              --seconds N   place orders for N seconds (from 5 to 86400), then count what arrived
              --library     the library alone, in a second: H2, nothing to install
            """;

    private static final Duration KILL_RUN_TIME = Duration.ofSeconds(40);
    private static final int SECONDS_MIN = 5;
    private static final int SECONDS_MAX = 86_400;

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException naming what was given and what is allowed
     */
    static Arguments read(String... arguments) {
        Duration runTime = Duration.ZERO;
        boolean kill = false;
        boolean help = false;
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--kill" -> kill = true;
                case "--help", "-h" -> help = true;
                case "--seconds" -> runTime = seconds(++i < arguments.length ? arguments[i] : "nothing");
                default ->
                    throw new IllegalArgumentException("unknown argument \"" + arguments[i]
                            + "\"; there are --kill, --seconds N, --library and --help");
            }
        }
        return new Arguments(kill && runTime.isZero() ? KILL_RUN_TIME : runTime, kill, help);
    }

    private static Duration seconds(String text) {
        if (text.matches("\\d{1,5}")) {
            int seconds = Integer.parseInt(text);
            if (seconds >= SECONDS_MIN && seconds <= SECONDS_MAX) {
                return Duration.ofSeconds(seconds);
            }
        }
        throw new IllegalArgumentException(
                "--seconds must be a number from " + SECONDS_MIN + " to " + SECONDS_MAX + ", was " + text);
    }
}
