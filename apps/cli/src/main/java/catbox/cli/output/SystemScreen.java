package catbox.cli.output;

import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The terminal that this process was started on, if it was. */
public final class SystemScreen {

    private static final int WIDTH_DEFAULT = 80;
    private static final int WIDTH_LEAST = 40;

    private SystemScreen() {}

    /** Looks what is there. To be called once, before anything else asks for the console. */
    @SuppressWarnings("SystemConsoleNull") // It may be null: see below.
    public static Screen open(UnaryOperator<@Nullable String> environment) {
        // Of the consoles that JDKs have had by default, only this one is none when input or output is redirected.
        System.setProperty("jdk.console", "java.base");
        Console console = System.console();
        boolean colours = console != null && isBlank(environment.apply("NO_COLOR")) && !isDumb(environment);
        return new Screen(
                new Screen.Streams(System.in, utf8(System.out), utf8(System.err)),
                console == null ? Screen.WIDTH_ANY : width(environment),
                colours,
                console == null ? null : new ConsoleKeyboard(console));
    }

    // Whatever the locale of a script: JSON is UTF-8, and keys may hold anything.
    private static PrintStream utf8(PrintStream stream) {
        return new PrintStream(stream, true, StandardCharsets.UTF_8);
    }

    private static boolean isDumb(UnaryOperator<@Nullable String> environment) {
        return "dumb".equals(environment.apply("TERM"));
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }

    private static int width(UnaryOperator<@Nullable String> environment) {
        String told = environment.apply("COLUMNS");
        return Math.max(WIDTH_LEAST, told != null && told.matches("\\d{1,4}") ? Integer.parseInt(told) : asked());
    }

    // A shell knows the width and does not tell its children; the terminal tells everybody.
    private static int asked() {
        try {
            Process process = new ProcessBuilder("stty", "size")
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(1, TimeUnit.SECONDS)) {
                process.destroy();
                return WIDTH_DEFAULT;
            }
            String size = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            String columns = size.substring(size.indexOf(' ') + 1);
            return columns.matches("[1-9]\\d{0,3}") ? Integer.parseInt(columns) : WIDTH_DEFAULT;
        } catch (IOException e) {
            return WIDTH_DEFAULT; // No such program, as on Windows.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return WIDTH_DEFAULT;
        }
    }

    private record ConsoleKeyboard(Console console) implements Screen.Keyboard {

        @Override
        public Optional<String> line(String question) {
            return Optional.ofNullable(console.readLine("%s", question));
        }

        @Override
        public Optional<String> secret(String question) {
            return Optional.ofNullable(console.readPassword("%s", question)).map(String::new);
        }
    }
}
