package catbox.cli.output;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/** Shows the progress of long work: a bar on a terminal, elsewhere a line every few seconds. */
public final class Progress {

    private static final Duration LINE_EVERY = Duration.ofSeconds(5);
    private static final int BAR = 30;
    private static final long UNKNOWN = -1;

    private final Screen screen;
    private final InstantSource clock;
    private final String task;
    private final Instant start;
    private Instant lastLine;
    private boolean drawn;

    public Progress(Screen screen, InstantSource clock, String task) {
        this.screen = screen;
        this.clock = clock;
        this.task = task;
        this.start = clock.instant();
        this.lastLine = start;
    }

    public void at(long done, long total) {
        show(done, Math.max(done, total));
    }

    /** Shows progress towards an unknown total. */
    public void at(long done) {
        show(done, UNKNOWN);
    }

    private void show(long done, long total) {
        String numbers = total == UNKNOWN
                ? String.format(Locale.ROOT, "%,d", done)
                : String.format(Locale.ROOT, "%,d of %,d", done, total);
        Instant now = clock.instant();
        String line = numbers + ", " + Times.of(Duration.between(start, now));
        if (screen.isTerminal()) {
            String bar = total == UNKNOWN ? "" : bar(done, total) + " ";
            screen.err().print("\r\u001b[K" + Lines.cut(task + " " + bar + line, screen.width() - 1));
            screen.err().flush();
            drawn = true;
        } else if (Duration.between(lastLine, now).compareTo(LINE_EVERY) >= 0) {
            screen.say(task + ": " + line);
            lastLine = now;
        }
    }

    private static String bar(long done, long total) {
        int full = (int) (total == 0 ? BAR : BAR * done / total);
        return "[" + "#".repeat(full) + "-".repeat(BAR - full) + "]";
    }

    /** Removes the bar. */
    public void end() {
        if (drawn) {
            screen.err().print("\r\u001b[K");
            screen.err().flush();
        }
    }
}
