package outbox.admin;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;
import outbox.admin.view.OperationResult;

/**
 * Repeats a request on many events until nothing is left to do. Each step continues behind the one before, so the
 * run ends even if changed events match again.
 */
public final class BulkRun {

    private final OutboxAdmin admin;
    private final Request.Bulk request;
    private final String done;
    private final Set<String> pausedKeys = new LinkedHashSet<>();
    private @Nullable String after;
    private long changed;

    /**
     * Prepares the run.
     *
     * @param done ends the message that begins with the number of events, such as "replayed"
     */
    public BulkRun(OutboxAdmin admin, Request.Bulk request, String done) {
        this.admin = admin;
        this.request = request;
        this.done = done;
        this.after = request.after();
    }

    /**
     * Runs all steps, and returns their sum. It is incomplete if the last step failed.
     *
     * @param continues takes the number of events changed so far, after each step; false ends the run
     */
    public OperationResult run(LongPredicate continues) {
        OperationResult step = step();
        int steps = 1;
        while (continues.test(changed) && advances(step)) {
            after = step.next() == null ? request.after() : step.next();
            step = step();
            steps++;
        }
        boolean failed = step.incomplete() || (step.more() && !advances(step));
        if (steps == 1) {
            return failed ? step.asIncomplete() : step;
        }
        String failure = failed ? ". The last step: " + step.message() : "";
        return new OperationResult(
                changed, step.more(), false, step.next(), List.copyOf(pausedKeys), summary() + failure, failed);
    }

    private OperationResult step() {
        OperationResult step = admin.run(request.with(false, after));
        changed += step.changed();
        pausedKeys.addAll(step.pausedKeys());
        return step;
    }

    // A step that changes nothing and gets no further has failed.
    private boolean advances(OperationResult step) {
        return step.more()
                && (step.changed() > 0 || (step.next() != null && !step.next().equals(after)));
    }

    /** Where the latest step began: a run that fails continues with a request that has this as its {@code after}. */
    public @Nullable String after() {
        return after;
    }

    /** What was done so far, even if a step has failed since. */
    public String summary() {
        String events = String.format(Locale.ROOT, "%,d %s ", changed, changed == 1 ? "event" : "events");
        return events + done + Phrases.stillPaused(pausedKeys);
    }
}
