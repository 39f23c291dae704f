package catbox.cli.command;

import catbox.cli.output.Lines;
import catbox.cli.output.Progress;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import outbox.admin.BulkRun;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.OperationResult;

/**
 * Works on many events in steps: counts them first, asks if it has to, shows its progress, and stops between two steps on
 * Ctrl-C. A run that ends before all is done says how many events were changed and how to continue.
 *
 * @param task such as "replaying"
 * @param done such as "replayed"
 */
record Bulk(CommandContext context, BulkOptions options, String task, String done) {

    /**
     * Runs all steps.
     *
     * @param question what to ask before the first change; null asks nothing
     */
    int run(Request.Bulk request, @Nullable String question) {
        OutboxAdmin admin = context.admin();
        OperationResult counted = admin.run(request.with(true, request.after()));
        boolean isNothing = counted.changed() == 0 && !counted.more();
        if (options.dryRun || isNothing) {
            context.show(counted);
            return isNothing ? ExitCode.WRONG : ExitCode.OK;
        }
        if (question != null) {
            context.confirm(counted.message() + ". " + question, options.yes);
        }
        return run(new BulkRun(admin, request, done), counted);
    }

    private int run(BulkRun run, OperationResult counted) {
        BooleanSupplier stopped = context.stopSignal().listen();
        Progress progress = new Progress(context.screen(), context.clock(), task);
        OptionalLong total = counted.more() ? OptionalLong.empty() : OptionalLong.of(counted.changed());
        OperationResult all;
        try {
            all = run.run(changed -> {
                progress.at(changed, total);
                return changed < options.max && !stopped.getAsBoolean();
            });
        } catch (RuntimeException e) {
            progress.end();
            sayHowToContinue(run.summary() + " before it failed", run.after());
            throw e;
        }
        progress.end();
        context.show(all);
        if (!all.more()) {
            return all.incomplete() ? ExitCode.NOT_POSSIBLE : ExitCode.OK;
        }
        if (stopped.getAsBoolean()) {
            sayHowToContinue("stopped", all.next());
            return ExitCode.INTERRUPTED;
        }
        boolean isEnough = !all.incomplete() && all.changed() >= options.max;
        sayHowToContinue(isEnough ? "there may be more" : "broken off", all.next());
        return isEnough ? ExitCode.OK : ExitCode.NOT_POSSIBLE;
    }

    private void sayHowToContinue(String ended, @Nullable String next) {
        String after = next == null ? "" : " with --after " + Lines.argument(next);
        context.screen().say(ended + "; run it again" + after + " to continue");
    }
}
