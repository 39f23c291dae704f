package catbox.livedemo;

import java.io.PrintStream;
import java.util.Locale;

/** Prints what happens, one line at a time, from any thread. */
final class Console {

    private final PrintStream out;
    private final long startedNanos = System.nanoTime();

    Console(PrintStream out) {
        this.out = out;
    }

    void line(String text) {
        out.println(text);
    }

    @SuppressWarnings("AnnotateFormatMethod") // The annotation would need another library.
    void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }

    /** Prints a line that begins with the seconds since the demo began. */
    void step(String text) {
        line("%6.1f s  %s", (System.nanoTime() - startedNanos) / 1e9, text);
    }
}
