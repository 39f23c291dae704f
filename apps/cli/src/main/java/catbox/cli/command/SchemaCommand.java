package catbox.cli.command;

import catbox.cli.connection.Schema;
import catbox.cli.output.Progress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.Database;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.TableNames;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands for the tables or collections of an outbox. */
@Command(name = "schema", description = "Prints, checks or migrates the tables or collections of an outbox.")
final class SchemaCommand implements Runnable {

    private static final long PROGRESS_MILLIS = 250;

    private final CommandContext desk;

    @Spec
    private @Nullable CommandSpec spec;

    SchemaCommand(CommandContext desk) {
        this.desk = desk;
    }

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "a subcommand is missing: print, check or migrate");
        }
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
                ? desk.schema().print()
                : SchemaInstaller.print(
                        database, new TableNames(desk.options().target.table()));
        return desk.show(Map.of("schema", sql), () -> desk.screen().print(sql));
    }

    @Command(description = "Checks that the tables exist and have this version. Exits with 1 if not.")
    int check() {
        String problem = desk.schema().problem();
        desk.show(
                problem == null ? Map.of("ok", true) : Map.of("ok", false, "problem", problem),
                () -> desk.screen().print(problem == null ? "The schema is as it should be." : problem));
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
        Schema schema = desk.schema();
        List<String> steps = schema.missing(searchIndexes);
        Map<String, List<String>> answer = Map.of("steps", steps);
        if (steps.isEmpty()) {
            return desk.show(answer, () -> desk.screen().print("There is nothing to do."));
        }
        if (!desk.options().json) {
            steps.forEach(desk.screen()::print);
        }
        if (dryRun) {
            return desk.show(answer, () -> {});
        }
        desk.confirm("Do that?", yes);
        migrate(schema, searchIndexes, steps.size());
        return desk.show(answer, () -> desk.screen().print("Done."));
    }

    // A database reports no progress while it builds an index, so the elapsed time is all there is to show.
    private void migrate(Schema schema, boolean searchIndexes, int steps) {
        Progress progress = new Progress(desk.screen(), desk.clock(), "migrating");
        CompletableFuture<Void> work = CompletableFuture.runAsync(() -> schema.migrate(searchIndexes));
        try {
            do {
                progress.at(0, steps);
            } while (!isOver(work));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            progress.end();
        }
    }

    private static boolean isOver(CompletableFuture<Void> work) throws ExecutionException, InterruptedException {
        try {
            work.get(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }
}
