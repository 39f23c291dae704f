package catbox.cli.command;

import catbox.cli.output.Lines;
import catbox.cli.output.Progress;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import outbox.admin.BulkRun;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.OperationResult;

/**
 * Works on many events in steps: counts first, asks if it has to, shows its progress, and stops between two steps on
 * Ctrl-C.
 *
 * @param doing such as "replaying"
 * @param done such as "replayed"
 */
record Bulk(CommandContext desk, BulkOptions options, String doing, String done) {

    /**
     * Runs all steps.
     *
     * @param question what to ask before the first change; null asks nothing
     */
    int run(Request.Bulk request, @Nullable String question) {
        OutboxAdmin admin = desk.admin();
        OperationResult counted = admin.run(request.with(true, request.after()));
        boolean isNothing = counted.changed() == 0 && !counted.more();
        if (options.dryRun || isNothing) {
            desk.show(counted);
            return isNothing ? ExitCode.WRONG : ExitCode.OK;
        }
        if (question != null) {
            desk.confirm(counted.message() + ". " + question, options.yes);
        }
        return run(new BulkRun(admin, request, done), counted);
    }

    private int run(BulkRun run, OperationResult counted) {
        BooleanSupplier stopped = desk.stopSignal().listen();
        Progress progress = new Progress(desk.screen(), desk.clock(), doing);
        try {
            OperationResult all = run.run(changed -> {
                if (counted.more()) {
                    progress.at(changed);
                } else {
                    progress.at(changed, counted.changed());
                }
                return changed < options.max && !stopped.getAsBoolean();
            });
            progress.end();
            return report(all, stopped.getAsBoolean());
        } catch (RuntimeException e) {
            progress.end();
            desk.screen().say(run.summary() + " before it failed");
            throw e;
        }
    }

    private int report(OperationResult all, boolean stopped) {
        desk.show(all);
        if (all.more()) {
            String from = all.next() == null ? "" : " with --after " + Lines.argument(all.next());
            desk.screen()
                    .say((stopped ? "stopped; run it again" : "there may be more: run it again") + from + " to go on");
        }
        return all.more() && stopped ? ExitCode.INTERRUPTED : ExitCode.OK;
    }
}
