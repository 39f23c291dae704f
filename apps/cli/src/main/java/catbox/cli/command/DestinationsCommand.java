package catbox.cli.command;

import catbox.cli.output.Screen;
import catbox.cli.output.Table;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.DestinationView;
import picocli.CommandLine.Command;

@Command(
        name = "destinations",
        description = "Show each destination: its state, since when it is down, the next probe. Needs a server.")
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
        Table table = new Table(
                "destination", "kind", "state", "down since", "next probe", "on hold", ">under way", "last error");
        for (DestinationView destination : destinations) {
            table.row(
                    destination.name(),
                    destination.kind(),
                    new Table.Painted(colour(destination.state()), destination.state()),
                    desk.times().of(destination.downSince()),
                    away(destination.nextProbe()),
                    destination.onHold() ? new Table.Painted(Screen.Colour.DOUBTFUL, "yes") : null,
                    destination.underWay(),
                    destination.lastError());
        }
        table.print(desk.screen());
        destinations.forEach(this::printAddresses);
    }

    private static Screen.Colour colour(String state) {
        return switch (state) {
            case DestinationView.UP -> Screen.Colour.GOOD;
            case DestinationView.DOWN -> Screen.Colour.BAD;
            default -> Screen.Colour.DOUBTFUL;
        };
    }

    private @Nullable String away(@Nullable Instant time) {
        return time == null ? null : desk.times().away(time);
    }

    private void printAddresses(DestinationView destination) {
        for (DestinationView.Address address : destination.addresses()) {
            desk.screen()
                    .print("Address " + address.address() + " of " + destination.name() + " is unavailable since "
                            + desk.times().of(address.since()) + ", next probe " + away(address.nextProbe()) + ": "
                            + address.lastError());
        }
    }
}
