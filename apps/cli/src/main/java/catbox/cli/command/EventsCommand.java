package catbox.cli.command;

import catbox.cli.output.Json;
import catbox.cli.output.Lines;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import outbox.admin.OutboxAdmin;
import outbox.model.EventFilter;
import outbox.model.EventPage;
import outbox.model.EventQuery;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "events",
        description = "Events by state and filter: pending ones with the longest waiting first, others latest first.")
final class EventsCommand implements Callable<Integer> {

    private final Desk desk;

    @Mixin
    private final FilterOptions filter = new FilterOptions();

    @Option(names = "--after", paramLabel = "CURSOR", description = "continue where a page ended")
    private @Nullable String after;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "events of a page; default: ${DEFAULT-VALUE}",
            defaultValue = "50")
    private int limit;

    @Option(names = "--all", description = "page after page; with --json one line for each event")
    private boolean all;

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "where --all stops; default: ${DEFAULT-VALUE}",
            defaultValue = "10000")
    private int max;

    EventsCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        OutboxAdmin admin = desk.admin();
        EventFilter wanted = filter.filter(desk.times());
        return all ? everything(admin, wanted) : page(admin.events(new EventQuery(wanted, after, limit)));
    }

    private int page(EventPage page) {
        desk.show(page, () -> {
            if (page.events().isEmpty() && !page.cut()) {
                desk.screen().print("No such events.");
            } else {
                print(page);
            }
        });
        String next = page.next();
        if (next != null && !desk.options().json()) {
            desk.screen()
                    .say((page.cut() ? "the search was long and is not at its end" : "there is more") + ": --after "
                            + Lines.argument(next) + ", or --all");
        }
        return page.events().isEmpty() && next == null ? ExitCode.WRONG : ExitCode.OK;
    }

    private int everything(OutboxAdmin admin, EventFilter wanted) {
        String from = after;
        int shown = 0;
        do {
            EventPage page = admin.events(new EventQuery(wanted, from, Math.max(1, Math.min(1_000, max - shown))));
            if (desk.options().json()) {
                page.events().forEach(event -> Json.line(desk.screen(), event));
            } else if (!page.events().isEmpty()) {
                print(page);
            }
            shown += page.events().size();
            from = page.next();
        } while (from != null && shown < max);
        if (from != null) {
            desk.screen()
                    .say("stopped after " + Lines.counted(shown, "event") + "; there is more: --after "
                            + Lines.argument(from));
        }
        return shown == 0 ? ExitCode.WRONG : ExitCode.OK;
    }

    private void print(EventPage page) {
        EventTable.of(page.events(), desk.times()).print(desk.screen());
    }
}
