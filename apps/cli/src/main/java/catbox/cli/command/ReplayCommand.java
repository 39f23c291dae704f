package catbox.cli.command;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import outbox.admin.OutboxAdmin;
import outbox.admin.Request;
import outbox.model.Selection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "replay", description = "Makes settled events new again, so that they are delivered once more.")
final class ReplayCommand implements Callable<Integer> {

    private final Desk desk;
    private final boolean deadOnly;

    @Mixin
    private final SelectionOptions selected = new SelectionOptions();

    @Mixin
    private final BulkOptions bulk = new BulkOptions();

    @Option(names = "--reason", paramLabel = "TEXT", description = "for those who read the audit")
    private @Nullable String reason;

    ReplayCommand(Desk desk, boolean deadOnly) {
        this.desk = desk;
        this.deadOnly = deadOnly;
    }

    @Override
    public Integer call() {
        Selection selection = deadOnly ? selected.dead(desk.times()) : selected.selection(desk.times());
        OutboxAdmin admin = desk.admin();
        return new Bulk(desk, bulk, "replaying", "replayed")
                .run(
                        (dryRun, after) -> admin.replay(new Request.Replay(
                                selection, dryRun, reason, after == null ? selected.after() : after)),
                        // Who names events knows them; who gives a filter should see how many that are.
                        selected.isByFilter() ? "Replay them?" : null);
    }
}
