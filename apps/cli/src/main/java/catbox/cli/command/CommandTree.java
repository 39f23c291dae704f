package catbox.cli.command;

import catbox.cli.output.Screen;
import catbox.cli.output.Times;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import outbox.admin.Operation;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/** All commands. An {@link Operation} without a command of its own gets one that follows from its parameters. */
public final class CommandTree {

    /** picocli refuses a smaller width. */
    private static final int USAGE_WIDTH_LEAST = 55;

    private static final int USAGE_WIDTH_MAX = 110;

    private CommandTree() {}

    public static CommandLine of(CommandContext context) {
        Screen screen = context.screen();
        CommandLine dead = new CommandLine(new DeadCommand(context));
        methods(EventCommands.class, DeadCommand.class).forEach(dead::addSubcommand);
        SortedMap<String, Object> commands =
                methods(EventCommands.class, ViewCommands.class, ActionCommands.class, RootCommand.class);
        commands.putAll(
                Map.of("dead", dead, "routes", new RoutesCommand(context), "schema", new SchemaCommand(context)));
        for (Operation operation : Operation.values()) {
            commands.computeIfAbsent(operation.id(), word -> new OperationCommand(context, operation).line());
        }
        CommandLine tree = new CommandLine(new RootCommand(context));
        for (OptionSpec option :
                CommandSpec.forAnnotatedObject(context.options()).options()) {
            tree.getCommandSpec()
                    .addOption(option.toBuilder().scopeType(ScopeType.INHERIT).build());
        }
        commands.forEach(tree::addSubcommand);
        for (Operation operation : Operation.values()) {
            describe(tree, operation);
            describe(dead, operation);
        }
        tree.getSubcommands().values().forEach(CommandTree::tidy);
        return tree.registerConverter(Instant.class, context.times()::instant)
                .registerConverter(Duration.class, Times::duration)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(Math.clamp(screen.width(), USAGE_WIDTH_LEAST, USAGE_WIDTH_MAX))
                .setColorScheme(Help.defaultColorScheme(screen.colours() ? Help.Ansi.ON : Help.Ansi.OFF))
                .setOut(new PrintWriter(screen.streams().out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(screen.streams().err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler(new ErrorPrinter(screen))
                .setExecutionExceptionHandler(new ErrorPrinter(screen));
    }

    // By name, those of superclasses too. picocli itself would list all methods before all classes.
    private static SortedMap<String, Object> methods(Class<?>... types) {
        SortedMap<String, Object> methods = new TreeMap<>();
        for (Class<?> type : types) {
            CommandLine.getCommandMethods(type, null).forEach(method -> methods.put(method.getName(), method));
        }
        return methods;
    }

    // A command that does no more than its operation has the same description.
    private static void describe(CommandLine commands, Operation operation) {
        CommandLine command = commands.getSubcommands().get(operation.id());
        if (command != null && command.getCommandSpec().usageMessage().description().length == 0) {
            command.getCommandSpec().usageMessage().description(operation.summary());
        }
    }

    // A command's own options come first, then those of every command.
    private static void tidy(CommandLine command) {
        command.getCommandSpec().usageMessage().sortOptions(false).abbreviateSynopsis(true);
        command.getSubcommands().values().forEach(CommandTree::tidy);
    }
}
