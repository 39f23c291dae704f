package catbox.cli.command;

import java.util.concurrent.Callable;
import outbox.admin.view.EventView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "event", description = "One event with its whole history, without what it carries.")
final class EventCommand implements Callable<Integer> {

    private final Desk desk;

    @Parameters(paramLabel = "ID", description = "the event's id")
    private String id = "";

    EventCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        EventView event = desk.admin().event(id);
        return desk.show(event, () -> new EventText(desk).print(event));
    }
}
