package catbox.cli.command;

import catbox.cli.connection.Schema;
import catbox.cli.output.Progress;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.Database;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.TableNames;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The commands for the tables or collections of an outbox. */
@Command(name = "schema", description = "Prints, checks or migrates the tables or collections of an outbox.")
final class SchemaCommand {

    private static final long PROGRESS_MILLIS = 250;

    private final CommandContext context;

    SchemaCommand(CommandContext context) {
        this.context = context;
    }

    @Command(description = "Prints the statements that create the tables, for another migration tool.")
    int print(
            @Option(
                            names = "--for",
                            paramLabel = "DATABASE",
                            description = "postgresql, mysql, mariadb or h2; does not connect to a database")
                    @Nullable
                    Database database) {
        String sql = database == null
                ? context.schema().print().get()
                : SchemaInstaller.print(
                        database, new TableNames(context.options().table()));
        return context.show(Map.of("schema", sql), () -> context.screen().print(sql));
    }

    @Command(description = "Checks that the tables exist and have this version. Exits with 1 if not.")
    int check() {
        String problem = context.schema().problem();
        context.show(
                problem == null ? Map.of("ok", true) : Map.of("ok", false, "problem", problem),
                () -> context.screen().print(problem == null ? "The schema is up to date." : problem));
        return problem == null ? ExitCode.OK : ExitCode.WRONG;
    }

    @Command(description = "Creates or updates the tables. Lists the steps first, and asks.")
    int migrate(
            @Option(
                            names = {"-y", "--yes"},
                            description = "do not ask")
                    boolean yes,
            @Option(names = "--dry-run", description = "only list the steps") boolean dryRun,
            @Option(
                            names = "--search-indexes",
                            description = "also create the indexes for searches by key and type among settled events")
                    boolean searchIndexes) {
        Schema schema = context.schema();
        List<String> steps = schema.missing(searchIndexes);
        Map<String, List<String>> answer = Map.of("steps", steps);
        if (steps.isEmpty()) {
            return context.show(answer, () -> context.screen().print("There is nothing to do."));
        }
        if (!context.options().isJson()) {
            steps.forEach(context.screen()::print);
        }
        if (dryRun) {
            return context.show(answer, () -> {});
        }
        context.confirm("Apply these steps?", yes);
        migrate(schema, searchIndexes, steps.size());
        return context.show(answer, () -> context.screen().print("Done."));
    }

    // A database reports no progress while it builds an index, so the elapsed time is all there is to show.
    private void migrate(Schema schema, boolean searchIndexes, int steps) {
        Progress progress = new Progress(context.screen(), context.clock(), "migrating");
        Runnable show = () -> progress.at(0, OptionalLong.of(steps));
        try (ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor()) {
            Future<?> shown = ticker.scheduleAtFixedRate(show, 0, PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
            schema.migrate(searchIndexes);
            shown.cancel(false);
        } finally {
            progress.end();
        }
    }
}
