package catbox.cli.command;

import catbox.cli.output.Table;
import catbox.cli.output.Times;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import outbox.model.Hold;
import picocli.CommandLine.Command;

@Command(name = "holds", description = "What is on hold, why, and by whom.")
final class HoldsCommand implements Callable<Integer> {

    private final Desk desk;

    HoldsCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        List<Hold> holds = desk.admin().holds();
        return desk.show(holds, () -> {
            if (holds.isEmpty()) {
                desk.screen().print("Nothing is on hold.");
            } else {
                table(holds, desk.times()).print(desk.screen());
            }
        });
    }

    static Table table(List<Hold> holds, Times times) {
        Table table = new Table("on hold", "name", "since", "by", "reason");
        for (Hold hold : holds) {
            table.row(
                    hold.subject().kind().name().toLowerCase(Locale.ROOT),
                    hold.subject().name(),
                    times.of(hold.since()),
                    hold.by(),
                    hold.reason());
        }
        return table;
    }
}
