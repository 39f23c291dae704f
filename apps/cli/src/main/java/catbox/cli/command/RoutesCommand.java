package catbox.cli.command;

import static catbox.cli.output.Screen.Colour.GOOD;

import catbox.cli.output.Table;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;
import outbox.admin.view.RouteView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The commands for routes. */
@Command(name = "routes")
final class RoutesCommand implements Callable<Integer> {

    private final CommandContext context;

    RoutesCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return context.list(new Request.Routes(null), "There are no routes.", table());
    }

    private static Table<RouteView> table() {
        return new Table<RouteView>()
                .text("route", route -> route.taken() ? GOOD.of("* " + route.name()) : route.name())
                .text("matches", RouteView::match)
                .text("to", RoutesCommand::targets)
                .number("weight", RouteView::weight)
                .text("paused", route -> Tables.paused(route.paused()));
    }

    private static String targets(RouteView route) {
        return route.dropReason() == null ? String.join(", ", route.targets()) : "nowhere: " + route.dropReason();
    }

    @Command(description = "Shows which route an event would take.")
    int test(
            @Option(names = "--type", required = true, paramLabel = "TYPE", description = "the event's type")
                    String type,
            @Option(names = "--aggregate-type", paramLabel = "TYPE", description = "the aggregate's type") @Nullable
                    String aggregateType,
            @Option(names = "--aggregate", paramLabel = "ID", description = "the aggregate's id") @Nullable
                    String aggregate,
            @Option(names = "--tenant", paramLabel = "ID", description = "the tenant's id") @Nullable String tenant,
            @Option(names = "--header", paramLabel = "NAME=VALUE", description = "a header; can be repeated") @Nullable
                    Map<String, String> headers) {
        List<RouteView> routes = context.admin()
                .run(new Request.Routes(new RouteView.Sample(
                        type, aggregateType, aggregate, tenant, headers == null ? Map.of() : headers)));
        List<RouteView> taken = routes.stream().filter(RouteView::taken).toList();
        context.show(routes, () -> {
            table().print(context.screen(), routes, "There are no routes.");
            context.screen().print("");
            context.screen().print(taken.isEmpty() ? "No route matches the event." : result(taken.getFirst()));
        });
        return taken.isEmpty() ? ExitCode.WRONG : ExitCode.OK;
    }

    private static String result(RouteView route) {
        return "The event takes route " + route.name() + ", "
                + (route.dropReason() == null ? "to " + String.join(", ", route.addresses()) : targets(route)) + ".";
    }
}
