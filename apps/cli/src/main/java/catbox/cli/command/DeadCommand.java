package catbox.cli.command;

import catbox.cli.output.Table;
import catbox.cli.output.Times;
import java.util.concurrent.Callable;
import outbox.admin.Operation.Request;
import outbox.admin.view.DeadGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The commands for dead events. */
@Command(
        name = "dead",
        addMethodSubcommands = false,
        description = "Groups dead events by error. Its subcommands show and change dead events.")
final class DeadCommand extends EventCommands implements Callable<Integer> {

    DeadCommand(CommandContext context) {
        super(context, true);
    }

    @Override
    public Integer call() {
        return list();
    }

    @Command(description = "Groups dead events by error, the largest group first.")
    int list() {
        Times times = context.times();
        return context.list(
                new Request.Dead(),
                "No event is dead.",
                new Table<DeadGroup>()
                        .number("dead", DeadGroup::count)
                        .text("error", DeadGroup::error)
                        .text("types", group -> String.join(", ", group.types()))
                        .text("first", group -> times.of(group.first()))
                        .text("last", group -> times.of(group.last()))
                        .whole("example", DeadGroup::example));
    }

    @Command(description = "Shows one event with its whole history, without its payload.")
    int show(@Parameters(paramLabel = "ID", description = "the event's id") String id) {
        return new EventText(context).show(id);
    }
}
