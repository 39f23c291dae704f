package catbox.cli.command;

import catbox.cli.output.Screen;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Help;

/** All commands. Each operation of {@link outbox.admin.Operation} is one of its name; a test compares the two. */
public final class CommandTree {

    private static final int USAGE_WIDTH = 110;

    private CommandTree() {}

    public static CommandLine of(Desk desk) {
        Screen screen = desk.screen();
        CommandLine tree = new CommandLine(desk.options())
                .addSubcommand(new OverviewCommand(desk))
                .addSubcommand(new EventsCommand(desk))
                .addSubcommand(new EventCommand(desk))
                .addSubcommand(new KeyCommand(desk))
                .addSubcommand(dead(desk))
                .addSubcommand(new NodesCommand(desk))
                .addSubcommand(new PartitionsCommand(desk))
                .addSubcommand(new DestinationsCommand(desk))
                .addSubcommand(
                        new CommandLine(new RoutesCommand(desk)).addSubcommand(new RoutesCommand.TestCommand(desk)))
                .addSubcommand(new HoldsCommand(desk))
                .addSubcommand(new AuditCommand(desk))
                .addSubcommand(new DoctorCommand(desk))
                .addSubcommand(new RevealCommand(desk))
                .addSubcommand(new ReplayCommand(desk, false))
                .addSubcommand(new PauseCommand(desk))
                .addSubcommand(new ResumeCommand(desk))
                .addSubcommand(new ResendCommand(desk))
                .addSubcommand(new EditCommand(desk))
                .addSubcommand(new DiscardCommand(desk))
                .addSubcommand(new DrainCommand(desk))
                .addSubcommand(new RebalanceCommand(desk))
                .addSubcommand(new PurgeCommand(desk))
                .addSubcommand(new SourcesCommand(desk))
                .addSubcommand(schema(desk))
                .addSubcommand(new PasswordCommand(desk))
                .addSubcommand(new TokenCommand(desk))
                .addSubcommand(new CompletionCommand(desk))
                .addSubcommand(new VersionCommand(desk))
                .addSubcommand(new HelpCommand());
        tree.getSubcommands().values().forEach(CommandTree::tidy);
        return tree.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(Math.min(screen.width(), USAGE_WIDTH))
                .setColorScheme(Help.defaultColorScheme(screen.colours() ? Help.Ansi.ON : Help.Ansi.OFF))
                .setOut(new PrintWriter(screen.streams().out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(screen.streams().err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler(new Complaint(screen))
                .setExecutionExceptionHandler(new Complaint(screen));
    }

    // What is special about a command comes first, and what every command has after it.
    private static void tidy(CommandLine command) {
        command.getCommandSpec().usageMessage().sortOptions(false).abbreviateSynopsis(true);
        command.getSubcommands().values().forEach(CommandTree::tidy);
    }

    private static CommandLine dead(Desk desk) {
        return new CommandLine(new DeadCommand(desk))
                .addSubcommand(new DeadCommand.DeadListCommand(desk))
                .addSubcommand("show", new EventCommand(desk))
                .addSubcommand(new ReplayCommand(desk, true))
                .addSubcommand(new EditCommand(desk))
                .addSubcommand(new DiscardCommand(desk));
    }

    private static CommandLine schema(Desk desk) {
        return new CommandLine(new SchemaCommand())
                .addSubcommand(new SchemaCommand.PrintCommand(desk))
                .addSubcommand(new SchemaCommand.CheckCommand(desk))
                .addSubcommand(new MigrateCommand(desk));
    }
}
