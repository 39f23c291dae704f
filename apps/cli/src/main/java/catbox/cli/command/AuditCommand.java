package catbox.cli.command;

import catbox.cli.output.Json;
import catbox.cli.output.Lines;
import catbox.cli.output.Table;
import catbox.cli.output.Times;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import outbox.admin.OutboxAdmin;
import outbox.model.AuditEntry;
import outbox.model.AuditQuery;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "audit", description = "Who did what, latest first.")
final class AuditCommand implements Callable<Integer> {

    private final Desk desk;

    @Option(names = "--before", paramLabel = "ENTRY", description = "continue behind this entry")
    private @Nullable Long before;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "entries; default: ${DEFAULT-VALUE}",
            defaultValue = "50")
    private int limit;

    @Option(names = "--all", description = "page after page; with --json one line for each entry")
    private boolean all;

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "where --all stops; default: ${DEFAULT-VALUE}",
            defaultValue = "10000")
    private int max;

    AuditCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        OutboxAdmin admin = desk.admin();
        if (all) {
            return everything(admin);
        }
        List<AuditEntry> entries = admin.audit(new AuditQuery(before, limit));
        desk.show(entries, () -> {
            if (entries.isEmpty()) {
                desk.screen().print("Nothing is written down.");
            } else {
                table(entries, desk.times()).print(desk.screen());
            }
        });
        if (entries.size() == limit && !desk.options().json()) {
            desk.screen().say("there may be more: --before " + entries.getLast().id() + ", or --all");
        }
        return ExitCode.OK;
    }

    private int everything(OutboxAdmin admin) {
        Long from = before;
        int shown = 0;
        List<AuditEntry> page;
        int asked;
        do {
            asked = Math.max(1, Math.min(AuditQuery.LIMIT_MAX, max - shown));
            page = admin.audit(new AuditQuery(from, asked));
            if (desk.options().json()) {
                page.forEach(entry -> Json.line(desk.screen(), entry));
            } else if (!page.isEmpty()) {
                table(page, desk.times()).print(desk.screen());
            }
            shown += page.size();
            from = page.isEmpty() ? from : Long.valueOf(page.getLast().id());
        } while (page.size() == asked && shown < max);
        if (page.size() == asked) {
            desk.screen()
                    .say("stopped after " + Lines.counted(shown, "entry").replace("entrys", "entries")
                            + "; there may be more: --before " + from);
        }
        return ExitCode.OK;
    }

    static Table table(List<AuditEntry> entries, Times times) {
        Table table = new Table(">entry", "at", "who", "did", "to", "detail");
        for (AuditEntry entry : entries) {
            table.row(entry.id(), times.of(entry.at()), entry.who(), entry.action(), entry.subject(), entry.detail());
        }
        return table;
    }
}
