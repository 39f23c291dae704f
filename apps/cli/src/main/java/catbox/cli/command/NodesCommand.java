package catbox.cli.command;

import catbox.cli.output.Screen;
import catbox.cli.output.Table;
import catbox.cli.output.Times;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import outbox.admin.view.NodeView;
import picocli.CommandLine.Command;

@Command(name = "nodes", description = "The relays, and which partitions they own.")
final class NodesCommand implements Callable<Integer> {

    private final Desk desk;

    NodesCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        List<NodeView> nodes = desk.admin().nodes();
        return desk.show(nodes, () -> print(nodes));
    }

    private void print(List<NodeView> nodes) {
        if (nodes.isEmpty()) {
            desk.screen().print("No relay works here.");
            return;
        }
        Table table =
                new Table("node", "state", ">weight", "partitions", "version", "address", "last heartbeat", "joined");
        for (NodeView node : nodes) {
            table.row(
                    node.nodeId(),
                    state(node),
                    node.weight(),
                    node.partitions().stream().map(String::valueOf).collect(Collectors.joining(" ")),
                    node.version(),
                    node.address(),
                    Times.of(node.heartbeatAge()) + " ago",
                    desk.times().of(node.joinedAt()));
        }
        table.print(desk.screen());
    }

    private static Table.Painted state(NodeView node) {
        if (!node.alive()) {
            return new Table.Painted(Screen.Colour.BAD, "gone");
        }
        return node.drained()
                ? new Table.Painted(Screen.Colour.DOUBTFUL, "drained")
                : new Table.Painted(Screen.Colour.GOOD, "alive");
    }
}
