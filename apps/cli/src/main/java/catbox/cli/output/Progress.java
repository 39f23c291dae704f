package catbox.cli.output;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.OptionalLong;

/** Shows the progress of long work: a bar on a terminal, elsewhere a line every few seconds. */
public final class Progress {

    private static final Duration LINE_EVERY = Duration.ofSeconds(5);
    private static final int BAR = 30;

    private final Screen screen;
    private final InstantSource clock;
    private final String task;
    private final Instant start;
    private Instant lastLine;

    public Progress(Screen screen, InstantSource clock, String task) {
        this.screen = screen;
        this.clock = clock;
        this.task = task;
        this.start = clock.instant();
        this.lastLine = start;
    }

    /**
     * Shows progress.
     *
     * @param total empty if it is unknown
     */
    public void at(long done, OptionalLong total) {
        String numbers = String.format(Locale.ROOT, "%,d", done);
        String bar = "";
        if (total.isPresent()) {
            long all = Math.max(done, total.getAsLong());
            numbers += String.format(Locale.ROOT, " of %,d", all);
            bar = bar(done, all) + " ";
        }
        Instant now = clock.instant();
        String line = numbers + ", " + Times.of(Duration.between(start, now));
        if (screen.isTerminal()) {
            screen.err().print("\r\u001b[K" + Lines.cut(task + " " + bar + line, screen.width() - 1));
            screen.err().flush();
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
        if (screen.isTerminal()) {
            screen.err().print("\r\u001b[K");
            screen.err().flush();
        }
    }
}
