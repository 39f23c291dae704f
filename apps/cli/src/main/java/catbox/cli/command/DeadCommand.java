package catbox.cli.command;

import catbox.cli.output.Table;
import catbox.cli.output.Times;
import java.util.List;
import java.util.concurrent.Callable;
import outbox.admin.view.DeadGroup;
import picocli.CommandLine.Command;

/** Dead events; without more, which groups of them there are. */
@Command(name = "dead", description = "Dead events by why they died; and what to do about them.")
final class DeadCommand implements Callable<Integer> {

    private final DeadListCommand list;

    DeadCommand(Desk desk) {
        this.list = new DeadListCommand(desk);
    }

    @Override
    public Integer call() {
        return list.call();
    }

    @Command(name = "list", description = "Dead events by why they died, the largest group first.")
    static final class DeadListCommand implements Callable<Integer> {

        private final Desk desk;

        DeadListCommand(Desk desk) {
            this.desk = desk;
        }

        @Override
        public Integer call() {
            List<DeadGroup> groups = desk.admin().dead();
            return desk.show(groups, () -> print(groups));
        }

        private void print(List<DeadGroup> groups) {
            if (groups.isEmpty()) {
                desk.screen().print("No event is dead.");
                return;
            }
            Times times = desk.times();
            Table table = new Table(">dead", "error", "types", "first", "last", "=example");
            for (DeadGroup group : groups) {
                table.row(
                        group.count(),
                        group.error(),
                        String.join(", ", group.types()),
                        times.of(group.first()),
                        times.of(group.last()),
                        group.example());
            }
            table.print(desk.screen());
        }
    }
}
