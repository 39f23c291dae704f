package catbox.cli.command;

import catbox.cli.output.Json;
import catbox.cli.output.Screen;
import catbox.cli.output.Times;
import catbox.cli.place.Opening;
import catbox.cli.place.PlaceReader;
import catbox.cli.place.Schema;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.admin.OutboxAdmin;

/** What every command has before it: how it was called, the screen, the time, and the way to an outbox. */
public final class Desk {

    private static final Set<String> YES = Set.of("y", "yes");

    private final GlobalOptions options = new GlobalOptions();
    private final Screen screen;
    private final InstantSource clock;
    private final UnaryOperator<@Nullable String> environment;
    private final Opening opening;
    private final StopSignal stopSignal;

    public Desk(
            Screen screen,
            InstantSource clock,
            UnaryOperator<@Nullable String> environment,
            Opening opening,
            StopSignal stopSignal) {
        this.screen = screen;
        this.clock = clock;
        this.environment = environment;
        this.opening = opening;
        this.stopSignal = stopSignal;
    }

    public GlobalOptions options() {
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

    PlaceReader places() {
        return new PlaceReader(environment, screen);
    }

    Opening opening() {
        return opening;
    }

    OutboxAdmin admin() {
        return opening.admin(places().read(options));
    }

    Schema schema() {
        return opening.schema(places().readDatabase(options));
    }

    /** Shows an answer to whoever asked: as a document to a program, as text to people. */
    int show(Object answer, Runnable text) {
        if (options.json()) {
            Json.document(screen, answer);
        } else {
            text.run();
        }
        return ExitCode.OK;
    }

    /**
     * Asks before something is done that cannot be undone.
     *
     * @param yes whether that was said already
     * @throws IllegalArgumentException when there is nobody to ask
     * @throws CancellationException when the answer is no
     */
    void confirm(String question, boolean yes) {
        if (yes) {
            return;
        }
        Screen.Keyboard keyboard = screen.keyboard();
        if (keyboard == null) {
            throw new IllegalArgumentException(question + " Nobody is here to ask: say it with --yes.");
        }
        Optional<String> answer = keyboard.line(question + " [y/N] ");
        if (answer.filter(typed -> YES.contains(typed.strip().toLowerCase(Locale.ROOT)))
                .isEmpty()) {
            throw new CancellationException("nothing was changed");
        }
    }
}
