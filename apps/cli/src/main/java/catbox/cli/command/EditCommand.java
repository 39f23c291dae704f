package catbox.cli.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import outbox.admin.OutboxAdmin;
import outbox.admin.Request;
import outbox.admin.view.Done;
import outbox.model.EventEdit;
import outbox.model.EventSummary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "edit", description = "Changes what a dead event carries. What was published is kept.")
final class EditCommand implements Callable<Integer> {

    private static final String STANDARD_INPUT = "-";

    private final Desk desk;

    @Parameters(paramLabel = "ID", description = "the event's id")
    private String id = "";

    @Option(
            names = "--payload",
            paramLabel = "FILE",
            description = "holds the new payload as JSON; - is standard input")
    private @Nullable String payload;

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "the new headers; given once, it takes the place of all that there were")
    private @Nullable Map<String, String> headers;

    @Option(names = "--replay", description = "and have it delivered")
    private boolean replay;

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "for those who read the audit")
    private String reason = "";

    @Option(
            names = {"-y", "--yes"},
            description = "do not ask")
    private boolean yes;

    EditCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        EventEdit edit = new EventEdit(payload == null ? null : read(payload), headers);
        OutboxAdmin admin = desk.admin();
        EventSummary event = admin.event(id).event();
        desk.confirm(
                "Event " + id + " (" + event.eventType() + ", "
                        + event.state().status().name().toLowerCase(Locale.ROOT) + ") is to carry something else"
                        + (replay ? ", and to be delivered." : ".") + " Change it?",
                yes);
        Done done = admin.edit(new Request.Edit(id, edit, replay, reason));
        return desk.show(done, () -> desk.screen().print(done.says()));
    }

    private String read(String file) {
        try {
            return file.equals(STANDARD_INPUT)
                    ? new String(desk.screen().streams().in().readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new IllegalArgumentException("--payload names a file that cannot be read as text: " + file, e);
        }
    }
}
