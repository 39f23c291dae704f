package catbox.cli.command;

import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import outbox.admin.OutboxAdmin;
import outbox.admin.Request;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "resend",
        description =
                "Sends the done events of a time once more, to a destination, and leaves them alone. Needs a server.")
final class ResendCommand implements Callable<Integer> {

    private final Desk desk;

    @Option(
            names = "--from",
            required = true,
            paramLabel = "TIME",
            description = "created then or later: 2026-01-31T12:00:00Z, or 2h ago")
    private String from = "";

    @Option(names = "--before", paramLabel = "TIME", description = "created earlier than that; default: now")
    private String before = "0s";

    @Option(names = "--type", paramLabel = "TYPE", description = "of the events; default: every type")
    private @Nullable String type;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "DESTINATION",
            description = "by its name; need not be where they went")
    private String destination = "";

    @Option(names = "--after", paramLabel = "ID", description = "continue behind this event")
    private @Nullable String first;

    @Mixin
    private final BulkOptions bulk = new BulkOptions();

    ResendCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        Instant begin = desk.times().instant("--from", from);
        Instant end = desk.times().instant("--before", before);
        OutboxAdmin admin = desk.admin();
        return new Bulk(desk, bulk, "resending", "sent to " + destination)
                .run(
                        (dryRun, after) -> admin.resend(new Request.Resend(
                                begin, end, type, destination, after == null ? first : after, dryRun)),
                        "Send them to " + destination + "?");
    }
}
