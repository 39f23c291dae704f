package catbox.cli.command;

import catbox.cli.output.Screen;
import catbox.cli.output.Table;
import java.util.List;
import java.util.concurrent.Callable;
import outbox.admin.view.DestinationView;
import picocli.CommandLine.Command;

@Command(name = "destinations", description = "The destinations, with the state of their breakers. Needs a server.")
final class DestinationsCommand implements Callable<Integer> {

    private final Desk desk;

    DestinationsCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        List<DestinationView> destinations = desk.admin().destinations();
        return desk.show(destinations, () -> print(destinations));
    }

    private void print(List<DestinationView> destinations) {
        if (destinations.isEmpty()) {
            desk.screen().print("There are no destinations.");
            return;
        }
        Table table = new Table("destination", "kind", "breaker", "on hold", ">under way", "last error");
        for (DestinationView destination : destinations) {
            boolean isClosed = destination.breaker().equals("closed");
            table.row(
                    destination.name(),
                    destination.kind(),
                    new Table.Painted(isClosed ? Screen.Colour.GOOD : Screen.Colour.BAD, destination.breaker()),
                    destination.onHold() ? new Table.Painted(Screen.Colour.DOUBTFUL, "yes") : null,
                    destination.underWay(),
                    destination.lastError());
        }
        table.print(desk.screen());
    }
}
