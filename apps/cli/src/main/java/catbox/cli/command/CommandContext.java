package catbox.cli.command;

import catbox.cli.connection.GlobalOptions;
import catbox.cli.connection.Schema;
import catbox.cli.connection.TargetOpener;
import catbox.cli.output.Json;
import catbox.cli.output.Screen;
import catbox.cli.output.Table;
import catbox.cli.output.Times;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.OperationResult;

/** The context of a command: its options, the screen, the clock and the outbox. */
public record CommandContext(
        GlobalOptions options, Screen screen, InstantSource clock, TargetOpener opener, StopSignal stopSignal) {

    private static final Set<String> YES = Set.of("y", "yes");

    Times times() {
        return new Times(clock);
    }

    OutboxAdmin admin() {
        return opener.admin(options.target());
    }

    Schema schema() {
        return opener.schema(options.database());
    }

    /** Prints an answer, as JSON or as text. */
    int show(Object answer, Runnable text) {
        if (options.isJson()) {
            Json.document(screen, answer);
        } else {
            text.run();
        }
        return ExitCode.OK;
    }

    /** Prints the result of a change, as JSON or as a sentence. */
    int show(OperationResult result) {
        return show(result, () -> screen.print(result.message()));
    }

    /** Runs a request, and prints its result. */
    <R> int run(Request<R> request, Consumer<R> text) {
        R result = admin().run(request);
        return show(result, () -> text.accept(result));
    }

    /** Runs a request, and prints its result as a table, or as the sentence if there are no rows. */
    <T> int list(Request<List<T>> request, String none, Table<T> table) {
        return run(request, rows -> table.print(screen, rows, none));
    }

    /**
     * Asks before a change that cannot be undone.
     *
     * @param yes whether the option {@code --yes} was given
     * @throws IllegalArgumentException if there is no terminal to ask on
     * @throws CancellationException if the answer is no
     */
    void confirm(String question, boolean yes) {
        if (yes) {
            return;
        }
        Screen.Keyboard keyboard = screen.keyboard();
        if (keyboard == null) {
            throw new IllegalArgumentException(question + " There is no terminal to ask on: confirm with --yes.");
        }
        Optional<String> answer = keyboard.ask(question + " [y/N] ", false);
        if (answer.filter(typed -> YES.contains(typed.strip().toLowerCase(Locale.ROOT)))
                .isEmpty()) {
            throw new CancellationException("nothing was changed");
        }
    }
}
