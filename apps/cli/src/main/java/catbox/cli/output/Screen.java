package catbox.cli.output;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a command is read on, and who sits before it.
 *
 * @param width how many characters fit in a line; no limit where nobody looks
 * @param colours whether colours are wanted
 * @param keyboard of the person before it; null when there is none, as in a script
 */
public record Screen(
        Streams streams,
        int width,
        boolean colours,
        @Nullable Keyboard keyboard) {

    public static final int WIDTH_ANY = Integer.MAX_VALUE;

    /**
     * What goes in and out.
     *
     * @param out what was asked for
     * @param err what is said beside it
     */
    public record Streams(InputStream in, PrintStream out, PrintStream err) {}

    /** Somebody who can be asked. */
    public interface Keyboard {

        /** What is typed in answer; empty when there is no more. */
        Optional<String> line(String question);

        /** The same without showing it. */
        Optional<String> secret(String question);
    }

    /** Whether somebody sits before it. */
    public boolean isTerminal() {
        return keyboard != null;
    }

    PrintStream err() {
        return streams.err();
    }

    public void print(String line) {
        streams.out().println(line);
    }

    /** Says something that is no part of what was asked for. */
    public void say(String line) {
        streams.err().println("catbox: " + line);
    }

    public String paint(Colour colour, String text) {
        return colours ? colour.code + text + "\u001b[0m" : text;
    }

    /** What a colour means, not how it looks. */
    public enum Colour {
        GOOD("\u001b[32m"),
        DOUBTFUL("\u001b[33m"),
        BAD("\u001b[31m"),
        QUIET("\u001b[2m"),
        STRONG("\u001b[1m");

        private final String code;

        Colour(String code) {
            this.code = code;
        }
    }
}
