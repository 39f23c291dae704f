package catbox.cli.command;

import java.util.concurrent.Callable;
import outbox.admin.OutboxAdmin;
import outbox.admin.Request;
import outbox.model.Selection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "discard", description = "Settles dead events as done without delivering them.")
final class DiscardCommand implements Callable<Integer> {

    private final Desk desk;

    @Mixin
    private final SelectionOptions selected = new SelectionOptions();

    @Mixin
    private final BulkOptions bulk = new BulkOptions();

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "for those who read the audit")
    private String reason = "";

    DiscardCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        Selection selection = selected.dead(desk.times());
        OutboxAdmin admin = desk.admin();
        return new Bulk(desk, bulk, "discarding", "discarded")
                .run(
                        (dryRun, after) -> admin.discard(new Request.Discard(
                                selection, dryRun, reason, after == null ? selected.after() : after)),
                        "Discard them?");
    }
}
