package catbox.cli.command;

import catbox.cli.connection.GlobalOptions;
import catbox.cli.connection.Schema;
import catbox.cli.connection.Target;
import catbox.cli.connection.TargetOpener;
import catbox.cli.output.Screen;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import outbox.admin.OutboxAdmin;
import outbox.testkit.ManualTime;

/** Runs commands, with a terminal to ask on or without one, and keeps what they print. */
final class TestTerminal implements TargetOpener {

    final CannedAdmin canned = new CannedAdmin();
    final ManualTime time = new ManualTime(CannedAdmin.NOW);
    final Map<String, String> environment = new HashMap<>();
    final List<String> questions = new ArrayList<>();
    final List<Target> opened = new ArrayList<>();
    TargetOpener opening = this;
    Schema schema = CannedSchema.create();
    String input = "";
    int width = Screen.WIDTH_ANY;
    boolean colours;
    BooleanSupplier stopped = () -> false;

    @Nullable
    Deque<String> typing;

    /** The exit code of a command, and what it printed. */
    record Result(int code, String out, String err) {}

    /** Makes this a terminal on which a person types these lines. */
    TestTerminal typing(String... lines) {
        typing = new ArrayDeque<>(List.of(lines));
        return this;
    }

    Result run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Screen screen = new Screen(
                new Screen.Streams(
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)),
                width,
                colours,
                typing == null ? null : new Typist(typing, questions));
        int code = CommandTree.of(context(screen)).execute(arguments);
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    CommandContext context(Screen screen) {
        return new CommandContext(new GlobalOptions(environment::get, screen), screen, time, opening, () -> stopped);
    }

    @Override
    public OutboxAdmin admin(Target target) {
        opened.add(target);
        return canned;
    }

    @Override
    public Schema schema(Target.Database database) {
        opened.add(database);
        return schema;
    }

    @Override
    public List<SourceState> sources(Target.Server server) {
        return List.of(
                new SourceState("orders", "connected", null), new SourceState("billing", "connecting", "refused"));
    }

    private record Typist(Deque<String> lines, List<String> questions) implements Screen.Keyboard {

        @Override
        public Optional<String> ask(String question, boolean isSecret) {
            questions.add(question);
            return Optional.ofNullable(lines.poll());
        }
    }
}
