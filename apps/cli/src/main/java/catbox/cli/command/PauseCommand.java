package catbox.cli.command;

import java.util.concurrent.Callable;
import outbox.admin.Request;
import outbox.admin.view.Done;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "pause", description = "Stops the source, a route, a destination, a partition, a key or a node.")
final class PauseCommand implements Callable<Integer> {

    private final Desk desk;

    @Mixin
    private final HoldSubject held = new HoldSubject();

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "for those who find it stopped")
    private String reason = "";

    PauseCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        Request.Pause request = new Request.Pause(held.subject(), reason);
        Done done = desk.admin().pause(request);
        return desk.show(done, () -> desk.screen().print(done.says()));
    }
}
