package catbox.cli.command;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;
import outbox.admin.view.OperationResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that change something: one request each, or for many events as many as {@link Bulk} needs. */
@Command(addMethodSubcommands = false)
abstract class ActionCommands extends ViewCommands {

    ActionCommands(CommandContext context) {
        super(context);
    }

    @Command
    int resend(
            @Option(
                            names = "--from",
                            required = true,
                            paramLabel = "TIME",
                            description =
                                    "created at this time or later: 2026-01-31T12:00:00Z, or 2h for two hours ago")
                    Instant from,
            @Option(
                            names = "--before",
                            paramLabel = "TIME",
                            description = "created before this time; default: now",
                            defaultValue = "0s")
                    Instant before,
            @Option(names = "--type", paramLabel = "TYPE", description = "events of this type; default: every type")
                    @Nullable
                    String type,
            @Option(
                            names = "--to",
                            required = true,
                            paramLabel = "DESTINATION",
                            description = "the destination's name; any destination of the server")
                    String destination,
            @Option(names = "--after", paramLabel = "ID", description = "continue after this event") @Nullable
                    String after,
            @Mixin BulkOptions bulk) {
        return new Bulk(context, bulk, "resending", "sent to " + destination)
                .run(
                        new Request.Resend(from, before, type, destination, after, bulk.dryRun),
                        "Send them to " + destination + "?");
    }

    @Command
    int purge(
            @Option(
                            names = "--older-than",
                            required = true,
                            paramLabel = "DURATION",
                            description = "time since they were done, such as 30d")
                    Duration age,
            @Mixin BulkOptions bulk) {
        return new Bulk(context, bulk, "purging", "purged").run(new Request.Purge(age, bulk.dryRun), "Delete them?");
    }

    @Command
    int pause(@Mixin PauseSubject subject, @Mixin ReasonOption reason) {
        return change(new Request.Pause(subject.subject(), reason.text));
    }

    @Command
    int resume(@Mixin PauseSubject subject) {
        return change(new Request.Resume(subject.subject()));
    }

    @Command(
            description = "Shows how the partitions are spread over the nodes. Live nodes spread them automatically,"
                    + " in proportion to their weights; \"repartition\" changes the number of partitions.")
    int rebalance(@Option(names = "--partitions", hidden = true) @Nullable Integer partitions) {
        if (partitions != null) {
            throw new IllegalArgumentException(
                    "\"rebalance --partitions " + partitions + "\" is now called \"repartition " + partitions + "\"");
        }
        return change(new Request.Rebalance(null));
    }

    @Command(description = "Changes the number of partitions, and spreads them over the nodes.")
    int repartition(@Parameters(paramLabel = "N", description = "the new number of partitions") int partitions) {
        return change(new Request.Rebalance(partitions));
    }

    private int change(Request<OperationResult> request) {
        return context.show(context.admin().run(request));
    }
}
