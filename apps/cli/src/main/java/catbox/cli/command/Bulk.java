package catbox.cli.command;

import catbox.cli.output.Lines;
import catbox.cli.output.Progress;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.OperationResult;

/**
 * Works on many events in steps: counts first, asks if it has to, shows its progress, and stops between two steps on
 * Ctrl-C. Each step continues after the previous one, so that the work ends although replayed events may match again.
 */
final class Bulk {

    private static final int REMARKS_MAX = 20;

    private final CommandContext desk;
    private final BulkOptions options;
    private final String doing;
    private final String done;
    private final @Nullable String first;

    private final Set<String> remarks = new LinkedHashSet<>();
    private long changed;

    /** One request. */
    interface Step {
        /**
         * Changes or counts events.
         *
         * @param after continues after what the last step returned; null begins with the first event
         */
        OperationResult take(boolean dryRun, @Nullable String after);
    }

    /**
     * Prepares the work.
     *
     * @param doing such as "replaying"
     * @param done such as "replayed"
     * @param first where an earlier run ended; null begins with the first event
     */
    Bulk(CommandContext desk, BulkOptions options, String doing, String done, @Nullable String first) {
        this.desk = desk;
        this.options = options;
        this.doing = doing;
        this.done = done;
        this.first = first;
    }

    /**
     * Runs all steps.
     *
     * @param question what to ask before the first change; null asks nothing
     */
    int run(Step step, @Nullable String question) {
        OperationResult counted = step.take(true, first);
        boolean isNothing = counted.changed() == 0 && !counted.more();
        if (options.dryRun || isNothing) {
            desk.show(counted, () -> desk.screen().print(counted.says()));
            return isNothing ? ExitCode.WRONG : ExitCode.OK;
        }
        if (question != null) {
            desk.confirm(counted.says() + ". " + question, options.yes);
        }
        return steps(step, counted);
    }

    private int steps(Step step, OperationResult counted) {
        BooleanSupplier stopped = desk.stopSignal().listen();
        Progress progress = new Progress(desk.screen(), desk.clock(), doing);
        OperationResult last;
        int steps = 0;
        String after = first;
        try {
            do {
                last = step.take(false, after);
                changed += last.changed();
                remark(last.says());
                after = last.next() == null ? first : last.next();
                steps++;
                if (counted.more()) {
                    progress.at(changed);
                } else {
                    progress.at(changed, Math.max(changed, counted.changed()));
                }
            } while (continues(last) && changed < options.max && !stopped.getAsBoolean());
        } catch (RuntimeException e) {
            progress.end();
            desk.screen().say(summary() + " before it failed");
            throw e;
        }
        progress.end();
        return report(last, steps, stopped.getAsBoolean() && continues(last));
    }

    private static boolean continues(OperationResult last) {
        return last.more() && (last.changed() > 0 || last.next() != null);
    }

    private int report(OperationResult last, int steps, boolean stopped) {
        OperationResult all =
                new OperationResult(changed, last.more(), false, last.next(), steps == 1 ? last.says() : summary());
        desk.show(all, () -> desk.screen().print(all.says()));
        if (stopped) {
            desk.screen().say("stopped; run it again" + from(last) + " to go on");
            return ExitCode.INTERRUPTED;
        }
        if (last.more()) {
            desk.screen().say("there may be more: run it again" + from(last) + " to go on");
        }
        return ExitCode.OK;
    }

    // After its first sentence an answer has remarks, such as on keys that stay paused.
    private void remark(String says) {
        int end = says.indexOf(". ");
        if (end > 0 && remarks.size() < REMARKS_MAX) {
            remarks.add(says.substring(end));
        }
    }

    private static String from(OperationResult last) {
        return last.next() == null ? "" : " with --after " + Lines.argument(last.next());
    }

    private String summary() {
        return Lines.counted(changed, "event") + " " + done + String.join("", remarks);
    }
}
