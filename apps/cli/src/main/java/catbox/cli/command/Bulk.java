package catbox.cli.command;

import catbox.cli.output.Lines;
import catbox.cli.output.Progress;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.Done;

/**
 * Work on many events, in steps: it counts first, asks where it has to, shows how far it is, and Ctrl-C stops it between
 * two steps. Each step goes on behind the one before, so that it ends although replayed events may soon match again.
 */
final class Bulk {

    private static final int REMARKS_MAX = 20;

    private final Desk desk;
    private final BulkOptions options;
    private final String doing;
    private final String done;

    private final Set<String> remarks = new LinkedHashSet<>();
    private long changed;

    /** One step, which answers whether there is more to do. */
    interface Step {
        /**
         * Does it.
         *
         * @param after continues behind what the last step said; null in the first
         */
        Done take(boolean dryRun, @Nullable String after);
    }

    /**
     * What is said.
     *
     * @param doing such as "replaying"
     * @param done such as "replayed"
     */
    Bulk(Desk desk, BulkOptions options, String doing, String done) {
        this.desk = desk;
        this.options = options;
        this.doing = doing;
        this.done = done;
    }

    /**
     * Does all of it.
     *
     * @param question what to ask before; null asks nothing
     */
    int run(Step step, @Nullable String question) {
        Done counted = step.take(true, null);
        boolean isNothing = counted.changed() == 0 && !counted.more();
        if (options.dryRun() || isNothing) {
            desk.show(counted, () -> desk.screen().print(counted.says()));
            return isNothing ? ExitCode.WRONG : ExitCode.OK;
        }
        if (question != null) {
            desk.confirm(counted.says() + ". " + question, options.yes());
        }
        return steps(step, counted);
    }

    private int steps(Step step, Done counted) {
        BooleanSupplier stopped = desk.stopSignal().listen();
        Progress progress = new Progress(desk.screen(), desk.clock(), doing);
        Done last;
        int steps = 0;
        String after = null;
        try {
            do {
                last = step.take(false, after);
                changed += last.changed();
                remark(last.says());
                after = last.next();
                steps++;
                if (counted.more()) {
                    progress.at(changed);
                } else {
                    progress.at(changed, Math.max(changed, counted.changed()));
                }
            } while (goesOn(last) && changed < options.max() && !stopped.getAsBoolean());
        } catch (RuntimeException e) {
            progress.end();
            desk.screen().say(summary() + " before it failed");
            throw e;
        }
        progress.end();
        return report(last, steps, stopped.getAsBoolean() && goesOn(last));
    }

    private static boolean goesOn(Done last) {
        return last.more() && (last.changed() > 0 || last.next() != null);
    }

    private int report(Done last, int steps, boolean stopped) {
        Done all = new Done(changed, last.more(), false, last.next(), steps == 1 ? last.says() : summary());
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

    // Behind its first sentence a step says what else there is to know, such as of keys that stay on hold.
    private void remark(String says) {
        int end = says.indexOf(". ");
        if (end > 0 && remarks.size() < REMARKS_MAX) {
            remarks.add(says.substring(end));
        }
    }

    private static String from(Done last) {
        return last.next() == null ? "" : " with --after " + Lines.argument(last.next());
    }

    private String summary() {
        return Lines.counted(changed, "event") + " " + done + String.join("", remarks);
    }
}
