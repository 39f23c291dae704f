package catbox.cli.command;

import catbox.cli.output.Screen;
import catbox.cli.output.Table;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.RouteView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "routes", description = "The routes, in the order in which they are tried. Needs a server.")
final class RoutesCommand implements Callable<Integer> {

    private final Desk desk;

    RoutesCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        List<RouteView> routes = desk.admin().routes(null);
        return desk.show(routes, () -> print(desk, routes));
    }

    private static void print(Desk desk, List<RouteView> routes) {
        if (routes.isEmpty()) {
            desk.screen().print("There are no routes.");
            return;
        }
        Table table = new Table("route", "takes", "to", ">weight", "on hold");
        for (RouteView route : routes) {
            table.row(
                    route.taken() ? new Table.Painted(Screen.Colour.GOOD, "* " + route.name()) : route.name(),
                    route.match(),
                    to(route),
                    route.weight(),
                    route.onHold() ? new Table.Painted(Screen.Colour.DOUBTFUL, "yes") : null);
        }
        table.print(desk.screen());
    }

    private static String to(RouteView route) {
        return route.dropReason() == null ? String.join(", ", route.targets()) : "nowhere: " + route.dropReason();
    }

    @Command(name = "test", description = "Which way an event would go.")
    static final class TestCommand implements Callable<Integer> {

        private final Desk desk;

        @Option(names = "--type", required = true, paramLabel = "TYPE", description = "the event's type")
        private String type = "";

        @Option(names = "--aggregate-type", paramLabel = "TYPE", description = "the aggregate's type")
        private @Nullable String aggregateType;

        @Option(names = "--aggregate", paramLabel = "ID", description = "the aggregate's id")
        private @Nullable String aggregate;

        @Option(names = "--tenant", paramLabel = "ID", description = "the tenant's id")
        private @Nullable String tenant;

        @Option(names = "--header", paramLabel = "NAME=VALUE", description = "a header; any number of them")
        private Map<String, String> headers = new TreeMap<>();

        TestCommand(Desk desk) {
            this.desk = desk;
        }

        @Override
        public Integer call() {
            var sample = new RouteView.Sample(type, aggregateType, aggregate, tenant, headers);
            List<RouteView> routes = desk.admin().routes(sample);
            List<RouteView> taken = routes.stream().filter(RouteView::taken).toList();
            desk.show(routes, () -> {
                print(desk, routes);
                desk.screen().print("");
                desk.screen().print(taken.isEmpty() ? "No route takes it." : says(taken.getFirst()));
            });
            return taken.isEmpty() ? ExitCode.WRONG : ExitCode.OK;
        }

        private static String says(RouteView route) {
            return "It takes route " + route.name() + ", "
                    + (route.dropReason() == null ? "to " + String.join(", ", route.addresses()) : to(route)) + ".";
        }
    }
}
