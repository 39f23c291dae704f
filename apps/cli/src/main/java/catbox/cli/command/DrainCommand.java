package catbox.cli.command;

import java.util.concurrent.Callable;
import outbox.admin.Request;
import outbox.admin.view.Done;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "drain", description = "Takes a node's partitions away in good order, until it is resumed.")
final class DrainCommand implements Callable<Integer> {

    private final Desk desk;

    @Parameters(paramLabel = "NODE", description = "the node's name")
    private String node = "";

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "for those who find it drained")
    private String reason = "";

    DrainCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        Done done = desk.admin().drain(new Request.Drain(node, reason));
        return desk.show(done, () -> desk.screen().print(done.says()));
    }
}
