package catbox.cli.command;

import catbox.cli.connection.Schema;
import catbox.cli.connection.TargetOpener;
import catbox.cli.connection.TargetOptions;
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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.OperationResult;

/** The context of a command: its options, the screen, the clock and the outbox. */
public final class CommandContext {

    private static final Set<String> YES = Set.of("y", "yes");

    private final GlobalOptions options;
    private final Screen screen;
    private final InstantSource clock;
    private final TargetOpener opening;
    private final StopSignal stopSignal;

    public CommandContext(
            Screen screen,
            InstantSource clock,
            UnaryOperator<@Nullable String> environment,
            TargetOpener opening,
            StopSignal stopSignal) {
        this.options = new GlobalOptions(new TargetOptions(environment, screen));
        this.screen = screen;
        this.clock = clock;
        this.opening = opening;
        this.stopSignal = stopSignal;
    }

    GlobalOptions options() {
        return options;
    }

    public Screen screen() {
        return screen;
    }

    InstantSource clock() {
        return clock;
    }

    Times times() {
        return new Times(clock);
    }

    StopSignal stopSignal() {
        return stopSignal;
    }

    TargetOpener opening() {
        return opening;
    }

    OutboxAdmin admin() {
        return opening.admin(options.target.place());
    }

    Schema schema() {
        return opening.schema(options.target.database());
    }

    /** Prints an answer, as JSON or as text. */
    int show(Object answer, Runnable text) {
        if (options.json) {
            Json.document(screen, answer);
        } else {
            text.run();
        }
        return ExitCode.OK;
    }

    /** Prints what was done, as JSON or as a sentence. */
    int show(OperationResult result) {
        return show(result, () -> screen.print(result.message()));
    }

    /** Prints a list, as JSON or as a table. */
    <T> int list(List<T> rows, String none, Table<T> table) {
        return show(rows, () -> print(rows, none, table));
    }

    /** Prints a table; if there are no rows, prints the sentence, or nothing if it is null. */
    <T> void print(List<T> rows, @Nullable String none, Table<T> table) {
        if (!rows.isEmpty()) {
            table.print(screen, rows);
        } else if (none != null) {
            screen.print(none);
        }
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
        Optional<String> answer = keyboard.line(question + " [y/N] ");
        if (answer.filter(typed -> YES.contains(typed.strip().toLowerCase(Locale.ROOT)))
                .isEmpty()) {
            throw new CancellationException("nothing was changed");
        }
    }
}
