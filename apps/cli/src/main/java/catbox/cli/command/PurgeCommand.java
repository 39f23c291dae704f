package catbox.cli.command;

import catbox.cli.output.Times;
import java.time.Duration;
import java.util.concurrent.Callable;
import outbox.admin.OutboxAdmin;
import outbox.admin.Request;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "purge", description = "Deletes done events that are old enough.")
final class PurgeCommand implements Callable<Integer> {

    private final Desk desk;

    @Option(
            names = "--older-than",
            required = true,
            paramLabel = "DURATION",
            description = "since they were done, such as 30d")
    private String olderThan = "";

    @Mixin
    private final BulkOptions bulk = new BulkOptions();

    PurgeCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        Duration age = Times.duration("--older-than", olderThan);
        OutboxAdmin admin = desk.admin();
        return new Bulk(desk, bulk, "purging", "purged")
                .run((dryRun, after) -> admin.purge(new Request.Purge(age, dryRun)), "Delete them?");
    }
}
