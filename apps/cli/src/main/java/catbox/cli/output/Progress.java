package catbox.cli.output;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/** How far long work has got: a bar that is rewritten on a terminal, elsewhere a line every few seconds. */
public final class Progress {

    private static final Duration LINE_EVERY = Duration.ofSeconds(5);
    private static final int BAR = 30;
    private static final long UNKNOWN = -1;

    private final Screen screen;
    private final InstantSource clock;
    private final String doing;
    private final Instant begun;
    private Instant said;
    private boolean drawn;

    public Progress(Screen screen, InstantSource clock, String doing) {
        this.screen = screen;
        this.clock = clock;
        this.doing = doing;
        this.begun = clock.instant();
        this.said = begun;
    }

    /** So much of so much. */
    public void at(long done, long total) {
        show(done, Math.max(done, total));
    }

    /** So much, and nobody knows of how much. */
    public void at(long done) {
        show(done, UNKNOWN);
    }

    private void show(long done, long total) {
        String numbers = total == UNKNOWN
                ? String.format(Locale.ROOT, "%,d", done)
                : String.format(Locale.ROOT, "%,d of %,d", done, total);
        Instant now = clock.instant();
        String line = numbers + ", " + Times.of(Duration.between(begun, now));
        if (screen.isTerminal()) {
            String bar = total == UNKNOWN ? "" : bar(done, total) + " ";
            screen.err().print("\r\u001b[K" + Lines.cut(doing + " " + bar + line, screen.width() - 1));
            screen.err().flush();
            drawn = true;
        } else if (Duration.between(said, now).compareTo(LINE_EVERY) >= 0) {
            screen.say(doing + ": " + line);
            said = now;
        }
    }

    private static String bar(long done, long total) {
        int full = (int) (total == 0 ? BAR : BAR * done / total);
        return "[" + "#".repeat(full) + "-".repeat(BAR - full) + "]";
    }

    /** Takes the bar away. */
    public void end() {
        if (drawn) {
            screen.err().print("\r\u001b[K");
            screen.err().flush();
        }
    }
}
