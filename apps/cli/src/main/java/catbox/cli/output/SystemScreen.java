package catbox.cli.output;

import java.io.Console;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The terminal that started this process, if there is one. */
public final class SystemScreen {

    private static final int WIDTH_LEAST = 40;

    private SystemScreen() {}

    /** Call this once, before anything else uses the console. */
    @SuppressWarnings("SystemConsoleNull") // It may be null: see below.
    public static Screen open(UnaryOperator<@Nullable String> environment) {
        // Of the consoles that JDKs have had by default, only this one is null when input or output is redirected.
        System.setProperty("jdk.console", "java.base");
        Console console = System.console();
        String noColor = environment.apply("NO_COLOR");
        boolean colours =
                console != null && (noColor == null || noColor.isBlank()) && !"dumb".equals(environment.apply("TERM"));
        return new Screen(
                new Screen.Streams(System.in, utf8(System.out), utf8(System.err)),
                console == null ? Screen.WIDTH_ANY : width(environment.apply("COLUMNS")),
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

    private record ConsoleKeyboard(Console console) implements Screen.Keyboard {

        @Override
        public Optional<String> ask(String question, boolean isSecret) {
            return isSecret
                    ? Optional.ofNullable(console.readPassword("%s", question)).map(String::new)
                    : Optional.ofNullable(console.readLine("%s", question));
        }
    }
}
