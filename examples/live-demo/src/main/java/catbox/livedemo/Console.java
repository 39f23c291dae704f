package catbox.livedemo;

import java.io.PrintStream;
import java.util.Locale;

/** Tells what happens, one line at a time, whoever tells it. */
final class Console {

    private final PrintStream out;
    private final long begunNanos = System.nanoTime();

    Console(PrintStream out) {
        this.out = out;
    }

    void line(String text) {
        out.println(text);
    }

    @SuppressWarnings("AnnotateFormatMethod") // Its annotation would be a library for a word.
    void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }

    /** A line that begins with the seconds since the demo began. */
    void step(String text) {
        line("%6.1f s  %s", (System.nanoTime() - begunNanos) / 1e9, text);
    }
}
