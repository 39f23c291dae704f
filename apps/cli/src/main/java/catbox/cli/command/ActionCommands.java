package catbox.cli.command;

import catbox.cli.output.Times;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that change something: one request each or, for many events, as many as {@link Bulk} needs. */
@Command(addMethodSubcommands = false)
abstract class ActionCommands extends ViewCommands {

    ActionCommands(CommandContext desk) {
        super(desk);
    }

    @Command
    int reveal(@Parameters(paramLabel = "ID", description = "the event's id") String id) {
        return new EventText(desk).reveal(id);
    }

    @Command
    int resend(
            @Option(
                            names = "--from",
                            required = true,
                            paramLabel = "TIME",
                            description = "events created at this time or later: 2026-01-31T12:00:00Z, or 2h ago")
                    String from,
            @Option(
                            names = "--before",
                            paramLabel = "TIME",
                            description = "events created before this time; default: now",
                            defaultValue = "0s")
                    String before,
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
                    String first,
            @Mixin BulkOptions bulk) {
        Instant begin = desk.times().instant("--from", from);
        Instant end = desk.times().instant("--before", before);
        return new Bulk(desk, bulk, "resending", "sent to " + destination)
                .run(
                        new Request.Resend(begin, end, type, destination, first, bulk.dryRun),
                        "Send them to " + destination + "?");
    }

    @Command
    int purge(
            @Option(
                            names = "--older-than",
                            required = true,
                            paramLabel = "DURATION",
                            description = "time since they were done, such as 30d")
                    String olderThan,
            @Mixin BulkOptions bulk) {
        Duration age = Times.duration("--older-than", olderThan);
        return new Bulk(desk, bulk, "purging", "purged").run(new Request.Purge(age, bulk.dryRun), "Delete them?");
    }

    @Command
    int pause(@Mixin HoldSubject subject, @Mixin ReasonOption reason) {
        return desk.show(desk.admin().run(new Request.Pause(subject.subject(), reason.text)));
    }

    @Command
    int resume(@Mixin HoldSubject subject) {
        return desk.show(desk.admin().run(new Request.Resume(subject.subject())));
    }

    @Command
    int rebalance(@Option(names = "--partitions", hidden = true) @Nullable Integer partitions) {
        if (partitions != null) {
            throw new IllegalArgumentException(
                    "\"rebalance --partitions " + partitions + "\" is now called \"repartition " + partitions + "\"");
        }
        return desk.show(desk.admin().run(new Request.Rebalance(null)));
    }

    @Command(description = "Changes the number of partitions, and spreads them over the nodes.")
    int repartition(@Parameters(paramLabel = "N", description = "the new number of partitions") int partitions) {
        return desk.show(desk.admin().run(new Request.Rebalance(partitions)));
    }
}
