package catbox.cli.command;

import catbox.cli.output.Screen;
import catbox.cli.output.Table;
import java.util.List;
import java.util.concurrent.Callable;
import outbox.admin.view.PartitionView;
import picocli.CommandLine.Command;

@Command(name = "partitions", description = "The partitions, and who owns them.")
final class PartitionsCommand implements Callable<Integer> {

    private final Desk desk;

    PartitionsCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        List<PartitionView> partitions = desk.admin().partitions();
        return desk.show(partitions, () -> print(partitions));
    }

    private void print(List<PartitionView> partitions) {
        if (partitions.isEmpty()) {
            desk.screen().print("There are no partitions here.");
            return;
        }
        Table table = new Table(">partition", "owner", ">epoch", "owned since", "on hold");
        for (PartitionView partition : partitions) {
            table.row(
                    partition.partition(),
                    partition.owner() == null ? new Table.Painted(Screen.Colour.BAD, "none") : partition.owner(),
                    partition.epoch(),
                    desk.times().of(partition.ownedSince()),
                    partition.onHold() ? new Table.Painted(Screen.Colour.DOUBTFUL, "yes") : null);
        }
        table.print(desk.screen());
    }
}
