package outbox.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventHistory.FailedAttempt;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.Finding;
import outbox.spi.operations.Finding.Severity;
import outbox.spi.operations.FindingCode;
import outbox.spi.operations.OutboxStatistics;

/**
 * Finds what is wrong with events: they wait, fail, die, have no route, or stay too long. Each check reads few rows.
 *
 * @param found takes what is found
 */
record EventFindings(
        AdminStores stores,
        ClusterPicture picture,
        @Nullable RunningRelay live,
        List<Finding> found) {

    static final Duration OLD = Duration.ofMinutes(5);
    static final Duration VERY_OLD = Duration.ofMinutes(30);
    static final Duration STUCK = Duration.ofMinutes(10);
    static final Duration DYING_WITHIN = Duration.ofMinutes(10);
    static final int DYING_MIN = 10;
    /** A purge runs once a day, and takes a while. */
    static final Duration PURGE_LATE = Duration.ofHours(25);

    private static final int SAMPLE_MAX = 1_000;
    private static final int CHECKED_MAX = 20;

    void find() {
        OutboxStatistics statistics = stores.statistics().statistics(SAMPLE_MAX);
        oldestPending(statistics);
        neverRelayed(statistics.pending());
        stuck();
        dead(statistics.dead());
        if (live != null) {
            withoutRoute(live);
            live.keepsDone().ifPresent(this::retentionLate);
        }
    }

    private List<EventSummary> first(State state) {
        EventFilter filter = EventFilter.ALL.withState(state);
        return stores.events().events(new EventQuery(filter, null, CHECKED_MAX)).events();
    }

    private boolean isLongAgo(Instant time, Duration than) {
        return Duration.between(time, picture.now()).compareTo(than) > 0;
    }

    // ---- pending -------------------------------------------------------------------------------------------------

    private void oldestPending(OutboxStatistics statistics) {
        Duration age = statistics.oldestPendingAge();
        if (age != null && age.compareTo(OLD) > 0) {
            found.add(new Finding(
                    FindingCode.OLDEST_PENDING.label(),
                    age.compareTo(VERY_OLD) > 0 ? Severity.ERROR : Severity.WARNING,
                    "Events wait too long",
                    "the oldest of " + statistics.pending() + " pending events has waited for " + Phrases.lasting(age),
                    "List the pending events, the oldest first. The page of an event says what it waits for."));
        }
    }

    private void neverRelayed(BoundedCount pending) {
        if (pending.counted() > 0 && picture.report().terms() == null) {
            found.add(Finding.warning(
                    FindingCode.NEVER_RELAYED,
                    "No relay has ever worked on this table",
                    pending + " pending events, and no relay has registered",
                    "Start a relay, unless applications deliver the events themselves."));
        }
    }

    /** An event and since when it fails. */
    private record Failing(EventSummary event, Instant since) {}

    private void stuck() {
        List<Failing> failing = first(State.RETRY).stream()
                .map(event -> new Failing(event, failingSince(event)))
                .filter(each -> isLongAgo(each.since(), STUCK))
                .sorted(Comparator.comparing(Failing::since))
                .toList();
        if (!failing.isEmpty()) {
            found.add(stuck(failing.get(0), failing.size() - 1));
        }
    }

    private Finding stuck(Failing longest, int more) {
        EventSummary event = longest.event();
        String key = event.key();
        return Finding.warning(
                FindingCode.KEY_STUCK,
                key == null ? "An event fails again and again" : "A key is stuck behind an event that fails",
                "event " + event.eventId() + (key == null ? "" : " of key " + key) + " has failed since "
                        + Phrases.at(longest.since(), picture.now()) + ", "
                        + Phrases.times(event.state().attempts()) + " so far, last with: "
                        + Phrases.error(event.state().lastError())
                        + (more == 0 ? "" : "; " + more + " more of the oldest retried events have failed as long"),
                "Repair the cause. "
                        + (key == null ? "" : "The page of key " + key + " shows the events that wait behind it. ")
                        + "If it can never succeed, let it use up its attempts and discard it.");
    }

    /**
     * The first failure that counts: those before a replay do not, and neither does the age of the event, which may have
     * been delayed. Without a history only the last attempt is known.
     */
    private Instant failingSince(EventSummary event) {
        List<FailedAttempt> all = stores.events().history(event.eventId()).attempts();
        int counting = Math.min(all.size(), event.state().attempts());
        return counting > 0 ? all.get(all.size() - counting).failedAt() : DeadGroups.died(event);
    }

    private void withoutRoute(RunningRelay relay) {
        RouteExplanation route = new RouteExplanation(stores.events(), picture.pauses(), relay);
        List<EventSummary> lost = first(State.PENDING).stream()
                .filter(event -> !route.hasRoute(event, relay))
                .toList();
        if (!lost.isEmpty()) {
            EventSummary first = lost.get(0);
            found.add(Finding.error(
                    FindingCode.NO_ROUTE,
                    "No route matches an event",
                    "of the " + CHECKED_MAX + " oldest pending events, " + lost.size() + " have no route, such as "
                            + first.eventId() + " of type " + first.eventType(),
                    "Add a route for it, or one that drops it with a reason. Until then it waits, and so do the events"
                            + " behind it in its key."));
        }
    }

    // ---- settled -------------------------------------------------------------------------------------------------

    private void dead(BoundedCount dead) {
        if (dead.counted() > 0) {
            found.add(Finding.warning(
                    FindingCode.DEAD_EVENTS,
                    "There are dead events",
                    dead + " dead events",
                    "See why they died, grouped by error. Repair the cause, then replay or discard them."));
        }
        if (dead.counted() >= DYING_MIN) {
            dying();
        }
    }

    /** An event that dies now may be an old one, so all are read that the groups of dead events are made of. */
    private void dying() {
        List<EventSummary> dying = new ArrayList<>();
        DeadGroups.forEachDead(stores.events(), event -> {
            if (!isLongAgo(DeadGroups.died(event), DYING_WITHIN)) {
                dying.add(event);
            }
        });
        if (dying.size() >= DYING_MIN) {
            EventSummary latest = Collections.max(dying, Comparator.comparing(DeadGroups::died));
            found.add(Finding.error(
                    FindingCode.EVENTS_DYING,
                    "Events are dying now",
                    dying.size() + " events died within the last " + Phrases.lasting(DYING_WITHIN)
                            + ", the latest with: "
                            + Phrases.error(latest.state().lastError()),
                    "Pause the destination or route until the cause is repaired: events that wait do not die."));
        }
    }

    private void retentionLate(Duration keep) {
        Duration allowed = keep.plus(PURGE_LATE);
        EventFilter old = EventFilter.ALL
                .withState(State.DONE)
                .createdBetween(null, picture.now().minus(allowed));
        stores.events().range(old, null, CHECKED_MAX).events().stream()
                .filter(event -> isLongAgo(doneAt(event), allowed))
                .findFirst()
                .ifPresent(event -> found.add(Finding.warning(
                        FindingCode.RETENTION_LATE,
                        "Done events stay longer than they should",
                        "event " + event.eventId() + " was done at " + Phrases.at(doneAt(event), picture.now())
                                + ", and done events are to be removed after " + Phrases.lasting(keep),
                        "The relay purges once a day and logs the result. If it was not running then, purge by hand or"
                                + " wait for the next purge.")));
    }

    private Instant doneAt(OutboxEvent event) {
        return Objects.requireNonNullElse(event.state().doneAt(), picture.now());
    }
}
