package catbox.console;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.EventView;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.EventHistory.Acknowledged;
import outbox.spi.operations.EventHistory.FailedAttempt;

/** The history of an event, in order. */
final class Timeline {

    private Timeline() {}

    /**
     * One entry of the history.
     *
     * @param kind published, stored, failed, acknowledged, act, arrived, done, dead or waiting
     * @param detail as it was reported; null for none
     */
    public record Moment(
            Instant at, String kind, String title, @Nullable String detail) {}

    static List<Moment> of(EventView view) {
        EventState state = view.event().state();
        List<Moment> moments = new ArrayList<>();
        moments.add(new Moment(view.event().occurredAt(), "published", "Published", null));
        moments.add(new Moment(state.createdAt(), "stored", "Stored", null));
        for (FailedAttempt attempt : view.attempts()) {
            moments.add(new Moment(
                    attempt.failedAt(),
                    "failed",
                    "Attempt " + attempt.attempt() + " failed at " + attempt.destination() + ", on node "
                            + attempt.nodeId(),
                    attempt.error()));
        }
        for (Acknowledged acknowledged : view.acknowledged()) {
            moments.add(new Moment(
                    acknowledged.acknowledgedAt(), "acknowledged", "Acknowledged by " + acknowledged.target(), null));
        }
        for (AuditEntry act : view.acts()) {
            moments.add(new Moment(act.at(), "act", act.action() + " by " + act.who(), act.detail()));
        }
        EventView.Arrival arrival = view.arrival();
        if (arrival != null) {
            moments.add(new Moment(
                    arrival.at(),
                    "arrived",
                    "Arrived at " + arrival.destination() + ", by node " + arrival.nodeId(),
                    arrival.place()));
        }
        moments.sort(Comparator.comparing(Moment::at));
        moments.add(last(state));
        return List.copyOf(moments);
    }

    private static Moment last(EventState state) {
        Instant since = state.lastAttemptAt() == null ? state.createdAt() : state.lastAttemptAt();
        return switch (state.status()) {
            case NEW -> new Moment(state.availableAt(), "waiting", "Waiting for delivery", null);
            case RETRY -> new Moment(state.availableAt(), "waiting", "Next attempt", null);
            case DONE -> new Moment(state.doneAt() == null ? since : state.doneAt(), "done", "Done", state.lastError());
            case DEAD -> new Moment(since, "dead", "Dead: it waits for an operator", null);
        };
    }

    /** Whether it changes without an operator. */
    static boolean isPending(EventView view) {
        EventStatus status = view.event().state().status();
        return status == EventStatus.NEW || status == EventStatus.RETRY;
    }
}
