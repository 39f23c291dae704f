package catbox.cli.command;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.Done;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "rebalance", description = "Spreads the partitions over the nodes, in another number if one is given.")
final class RebalanceCommand implements Callable<Integer> {

    private final Desk desk;

    @Option(names = "--partitions", paramLabel = "N", description = "how many there are to be")
    private @Nullable Integer partitions;

    RebalanceCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        Done done = desk.admin().rebalance(partitions);
        return desk.show(done, () -> desk.screen().print(done.says()));
    }
}
