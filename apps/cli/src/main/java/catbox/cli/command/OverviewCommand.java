package catbox.cli.command;

import catbox.cli.output.Screen;
import catbox.cli.output.Table;
import catbox.cli.output.Times;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import outbox.admin.view.Overview;
import outbox.model.OutboxStatistics.TypeLatency;
import picocli.CommandLine.Command;

@Command(name = "overview", aliases = "status", description = "How the source stands.")
final class OverviewCommand implements Callable<Integer> {

    private final Desk desk;

    OverviewCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        Overview overview = desk.admin().overview();
        return desk.show(overview, () -> print(overview));
    }

    private void print(Overview overview) {
        Screen screen = desk.screen();
        Duration oldest = overview.oldestPendingAge();
        boolean hasDead = overview.dead().counted() > 0;
        new Facts()
                .add("pending", overview.pending() + (oldest == null ? "" : ", the oldest for " + Times.of(oldest)))
                .add("dead", overview.dead(), hasDead ? Screen.Colour.BAD : null)
                .add("nodes", overview.nodes(), overview.nodes() == 0 ? Screen.Colour.BAD : null)
                .add(
                        "partitions",
                        overview.partitions()
                                + (overview.partitionsWithoutOwner() == 0
                                        ? ""
                                        : ", " + overview.partitionsWithoutOwner() + " without owner"),
                        overview.partitionsWithoutOwner() == 0 ? null : Screen.Colour.BAD)
                .add(
                        "on hold",
                        overview.holds().isEmpty()
                                ? "nothing"
                                : overview.holds().size(),
                        overview.holds().isEmpty() ? null : Screen.Colour.DOUBTFUL)
                .print(screen);
        if (!overview.latencies().isEmpty()) {
            screen.print("");
            Table table = new Table("type", ">sampled", ">average", ">max");
            for (TypeLatency latency : overview.latencies()) {
                table.row(
                        latency.eventType(),
                        String.format(Locale.ROOT, "%,d", latency.sampled()),
                        Times.of(latency.average()),
                        Times.of(latency.max()));
            }
            table.print(screen);
        }
        if (!overview.holds().isEmpty()) {
            screen.print("");
            HoldsCommand.table(overview.holds(), desk.times()).print(screen);
        }
    }
}
