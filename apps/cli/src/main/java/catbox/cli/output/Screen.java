package catbox.cli.output;

import java.io.Console;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.UsageMessageSpec;

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

    private static final int WIDTH_LEAST = 40;

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

    /** Returns the terminal that started this process, if there is one. Call this before anything else uses the console. */
    @SuppressWarnings("SystemConsoleNull") // It may be null: see below.
    public static Screen ofSystem(UnaryOperator<@Nullable String> environment) {
        // Of the consoles that JDKs have had by default, only this one is null when input or output is redirected.
        System.setProperty("jdk.console", "java.base");
        Console console = System.console();
        String noColor = environment.apply("NO_COLOR");
        boolean colours =
                console != null && (noColor == null || noColor.isBlank()) && !"dumb".equals(environment.apply("TERM"));
        return new Screen(
                new Streams(System.in, utf8(System.out), utf8(System.err)),
                console == null ? WIDTH_ANY : width(environment.apply("COLUMNS")),
                colours,
                console == null ? null : new ConsoleKeyboard(console));
    }

    // UTF-8 in every locale, because JSON is UTF-8 and keys may contain any character.
    private static PrintStream utf8(PrintStream stream) {
        return new PrintStream(stream, true, StandardCharsets.UTF_8);
    }

    // A shell does not export COLUMNS by default; picocli asks the terminal.
    private static int width(@Nullable String columns) {
        return columns != null && columns.matches("\\d{1,4}")
                ? Math.max(WIDTH_LEAST, Integer.parseInt(columns))
                : new UsageMessageSpec().autoWidth(true).width();
    }

    private record ConsoleKeyboard(Console console) implements Keyboard {

        @Override
        public Optional<String> ask(String question, boolean isSecret) {
            return isSecret
                    ? Optional.ofNullable(console.readPassword("%s", question)).map(String::new)
                    : Optional.ofNullable(console.readLine("%s", question));
        }
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
