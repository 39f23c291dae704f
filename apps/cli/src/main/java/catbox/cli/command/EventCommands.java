package catbox.cli.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.Selection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that exist twice: {@code catbox replay} works on all settled events, {@code catbox dead replay} on dead ones. */
@Command(addMethodSubcommands = false)
abstract class EventCommands {

    private static final String STANDARD_INPUT = "-";

    final CommandContext context;
    private final boolean deadOnly;

    EventCommands(CommandContext context, boolean deadOnly) {
        this.context = context;
        this.deadOnly = deadOnly;
    }

    @Command
    int replay(
            @Mixin SelectionOptions selected,
            @Mixin BulkOptions bulk,
            @Option(names = "--reason", paramLabel = "TEXT", description = "for the audit log") @Nullable
                    String reason) {
        Selection selection = deadOnly ? selected.dead() : selected.selection();
        return new Bulk(context, bulk, "replaying", "replayed")
                .run(
                        new Request.Replay(selection, bulk.dryRun, reason, selected.after),
                        // Ids name known events; a filter may match more events than expected.
                        selected.isByFilter() ? "Replay them?" : null);
    }

    @Command
    int discard(@Mixin SelectionOptions selected, @Mixin BulkOptions bulk, @Mixin ReasonOption reason) {
        return new Bulk(context, bulk, "discarding", "discarded")
                .run(new Request.Discard(selected.dead(), bulk.dryRun, reason.text, selected.after), "Discard them?");
    }

    @Command
    int edit(
            @Parameters(paramLabel = "ID", description = "the event's id") String id,
            @Option(
                            names = "--payload",
                            paramLabel = "FILE",
                            description = "a file with the new payload as JSON; - is standard input")
                    @Nullable
                    String payload,
            @Option(
                            names = "--header",
                            paramLabel = "NAME=VALUE",
                            description = "a new header; can be repeated. The new headers replace all old ones")
                    @Nullable
                    Map<String, String> headers,
            @Option(names = "--replay", description = "also deliver the event") boolean replay,
            @Mixin ReasonOption reason,
            @Option(
                            names = {"-y", "--yes"},
                            description = "do not ask")
                    boolean yes) {
        EventEdit edit = new EventEdit(payload == null ? null : read(payload), headers);
        OutboxAdmin admin = context.admin();
        EventSummary event = admin.run(new Request.Event(id)).event();
        String state = Tables.lower(event.state().status());
        context.confirm(
                "Event " + id + " (" + event.eventType() + ", " + state + ") would carry something else"
                        + (replay ? " and be delivered." : ".") + " Change it?",
                yes);
        return context.show(admin.run(new Request.Edit(id, edit, replay, reason.text)));
    }

    private String read(String file) {
        try {
            return file.equals(STANDARD_INPUT)
                    ? new String(context.screen().streams().in().readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new IllegalArgumentException("--payload names a file that cannot be read as text: " + file, e);
        }
    }
}
