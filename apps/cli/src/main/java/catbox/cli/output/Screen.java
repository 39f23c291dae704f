package catbox.cli.output;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a command prints, and the keyboard that it can ask on.
 *
 * @param width how many characters fit in a line; {@link #WIDTH_ANY} if the output does not go to a terminal
 * @param keyboard null if there is no terminal, as in a script
 */
public record Screen(
        Streams streams,
        int width,
        boolean colours,
        @Nullable Keyboard keyboard) {

    public static final int WIDTH_ANY = Integer.MAX_VALUE;

    /**
     * The standard streams.
     *
     * @param out gets the answer
     * @param err gets progress, hints and errors
     */
    public record Streams(InputStream in, PrintStream out, PrintStream err) {}

    /** Asks the person at the terminal. */
    public interface Keyboard {

        /**
         * Returns the typed answer; empty at the end of the input.
         *
         * @param isSecret whether to hide what is typed
         */
        Optional<String> ask(String question, boolean isSecret);
    }

    public boolean isTerminal() {
        return keyboard != null;
    }

    PrintStream err() {
        return streams.err();
    }

    public void print(String line) {
        streams.out().println(line);
    }

    /** Prints a line that is not part of the answer. */
    public void say(String line) {
        streams.err().println("catbox: " + line);
    }

    public String paint(Painted text) {
        return paint(text, text.text());
    }

    /** Returns the text in the colour of the value, if that has one. */
    public String paint(Object value, String text) {
        return colours && value instanceof Painted painted ? painted.colour().code + text + "\u001b[0m" : text;
    }

    /** A text that has a colour. */
    public record Painted(Colour colour, String text) {

        @Override
        public String toString() {
            return text;
        }
    }

    /** A colour, named by its meaning. */
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

        public Painted of(Object text) {
            return new Painted(this, text.toString());
        }
    }
}
