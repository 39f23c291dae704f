package catbox.cli.command;

import catbox.cli.output.Progress;
import catbox.cli.place.Schema;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "migrate", description = "Makes the tables, or brings them up to date. Says what it will do, and asks.")
final class MigrateCommand implements Callable<Integer> {

    private static final long LOOK_MILLIS = 250;

    private final Desk desk;

    @Option(
            names = {"-y", "--yes"},
            description = "do not ask")
    private boolean yes;

    @Option(names = "--dry-run", description = "only say what it would do")
    private boolean dryRun;

    @Option(
            names = "--search-indexes",
            description = "also makes the indexes that searches by key and type over settled events use")
    private boolean searchIndexes;

    MigrateCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        Schema schema = desk.schema();
        List<String> steps = schema.missing(searchIndexes);
        if (steps.isEmpty()) {
            return desk.show(Map.of("steps", steps), () -> desk.screen().print("There is nothing to do."));
        }
        if (!desk.options().json()) {
            steps.forEach(desk.screen()::print);
        }
        if (dryRun) {
            return desk.show(Map.of("steps", steps), () -> {});
        }
        desk.confirm("Do that?", yes);
        apply(schema, steps.size());
        return desk.show(Map.of("steps", steps), () -> desk.screen().print("Done."));
    }

    // A database says nothing while it builds an index: what can be shown is that it goes on.
    private void apply(Schema schema, int steps) {
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
            work.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }
}
