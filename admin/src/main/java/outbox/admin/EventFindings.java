package outbox.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventHistory.FailedAttempt;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.Finding;
import outbox.spi.operations.Finding.Severity;
import outbox.spi.operations.FindingCode;
import outbox.spi.operations.OutboxStatistics;

/** What is wrong with events: they wait, fail, die, have nowhere to go, or stay. Each look costs a bounded number of rows. */
record EventFindings(
        AdminStores stores,
        ClusterPicture picture,
        @Nullable RunningRelay live) {

    static final Duration OLD = Duration.ofMinutes(5);
    static final Duration VERY_OLD = Duration.ofMinutes(30);
    static final Duration STUCK = Duration.ofMinutes(10);
    static final Duration DYING_WITHIN = Duration.ofMinutes(10);
    static final int DYING_MIN = 10;
    /** A purge comes once a day, and takes its time. */
    static final Duration PURGE_LATE = Duration.ofHours(25);

    private static final int SAMPLE_MAX = 1_000;
    private static final int LOOKED_AT_MAX = 20;

    List<Finding> all() {
        OutboxStatistics statistics = stores.statistics().statistics(SAMPLE_MAX);
        return Stream.of(
                        oldestPending(statistics),
                        neverRelayed(statistics.pending()),
                        stuck(),
                        dead(statistics.dead()),
                        dying(statistics.dead()),
                        withoutRoute(),
                        retentionLate())
                .flatMap(Optional::stream)
                .toList();
    }

    private List<EventSummary> first(State state) {
        EventFilter filter = EventFilter.ALL.withState(state);
        return stores.events()
                .events(new EventQuery(filter, null, LOOKED_AT_MAX))
                .events();
    }

    private boolean isLongAgo(Instant time, Duration than) {
        return Duration.between(time, picture.now()).compareTo(than) > 0;
    }

    // ---- pending -------------------------------------------------------------------------------------------------

    private Optional<Finding> oldestPending(OutboxStatistics statistics) {
        Duration age = statistics.oldestPendingAge();
        if (age == null || age.compareTo(OLD) <= 0) {
            return Optional.empty();
        }
        return Optional.of(new Finding(
                FindingCode.OLDEST_PENDING.label(),
                age.compareTo(VERY_OLD) > 0 ? Severity.ERROR : Severity.WARNING,
                "Events wait for too long",
                "the oldest of " + statistics.pending() + " pending events waits for " + Phrases.lasting(age),
                "List the pending events: the first has waited longest. Its page says what it waits for."));
    }

    private Optional<Finding> neverRelayed(BoundedCount pending) {
        if (pending.counted() == 0 || picture.report().terms() != null) {
            return Optional.empty();
        }
        return Optional.of(Finding.warning(
                FindingCode.NEVER_RELAYED,
                "No relay has ever worked on this table",
                pending + " pending events, and nobody has agreed on how the table is worked",
                "Start a relay, unless the applications deliver by themselves."));
    }

    /** An event and since when it fails. */
    private record Failing(EventSummary event, Instant since) {}

    private Optional<Finding> stuck() {
        List<Failing> failing = first(State.RETRY).stream()
                .map(event -> new Failing(event, failingSince(event)))
                .filter(each -> isLongAgo(each.since(), STUCK))
                .sorted(Comparator.comparing(Failing::since))
                .toList();
        return failing.isEmpty() ? Optional.empty() : Optional.of(stuck(failing.get(0), failing.size() - 1));
    }

    private Finding stuck(Failing longest, int more) {
        EventSummary event = longest.event();
        String key = event.key();
        return Finding.warning(
                FindingCode.KEY_STUCK,
                key == null ? "An event fails again and again" : "A key is stuck behind an event that fails",
                "event " + event.eventId() + (key == null ? "" : " of key " + key) + " fails since "
                        + Phrases.at(longest.since(), picture.now()) + ", "
                        + Phrases.times(event.state().attempts()) + " so far, last with: "
                        + Phrases.error(event.state().lastError())
                        + (more == 0 ? "" : "; " + more + " more of the oldest that are retried fail for that long"),
                "Repair what the error says. What waits behind it"
                        + (key == null ? "" : " is on the page of key " + key)
                        + "; if it can never succeed, let it die by its number of attempts and discard it.");
    }

    /**
     * The first failure of those that count: what an event failed before it was replayed is over, and how old it is does
     * not matter, since it may have been delayed. Without a history nobody knows of more than the last attempt.
     */
    private Instant failingSince(EventSummary event) {
        List<FailedAttempt> all = stores.events().history(event.eventId()).attempts();
        int counting = Math.min(all.size(), event.state().attempts());
        Instant last = event.state().lastAttemptAt();
        return counting > 0
                ? all.get(all.size() - counting).failedAt()
                : last == null ? event.state().createdAt() : last;
    }

    private Optional<Finding> withoutRoute() {
        RunningRelay relay = live;
        if (relay == null) {
            return Optional.empty();
        }
        RouteExplanation way = new RouteExplanation(stores.events(), picture.holds(), relay);
        List<EventSummary> lost = first(State.PENDING).stream()
                .filter(event -> !way.hasRoute(event, relay))
                .toList();
        return lost.isEmpty()
                ? Optional.empty()
                : Optional.of(Finding.error(
                        FindingCode.NO_ROUTE,
                        "No route takes an event",
                        "of the " + LOOKED_AT_MAX + " pending events that have waited longest, " + lost.size()
                                + " have no route, such as " + lost.get(0).eventId() + " of type "
                                + lost.get(0).eventType(),
                        "Add a route for it, or one that drops it with a reason. It waits until then, and so does what"
                                + " stands behind it in its key."));
    }

    // ---- settled -------------------------------------------------------------------------------------------------

    private static Optional<Finding> dead(BoundedCount dead) {
        return dead.counted() == 0
                ? Optional.empty()
                : Optional.of(Finding.warning(
                        FindingCode.DEAD_EVENTS,
                        "Events have been given up",
                        dead + " dead events",
                        "See why they died, grouped by error. Repair the cause, then replay or discard them."));
    }

    private Optional<Finding> dying(BoundedCount dead) {
        List<EventSummary> lately = dead.counted() < DYING_MIN ? List.of() : diedLately();
        if (lately.size() < DYING_MIN) {
            return Optional.empty();
        }
        EventSummary latest =
                lately.stream().max(Comparator.comparing(DeadGroups::died)).orElseThrow();
        return Optional.of(Finding.error(
                FindingCode.EVENTS_DYING,
                "Events are dying now",
                lately.size() + " events died within the last " + Phrases.lasting(DYING_WITHIN) + ", the latest with: "
                        + Phrases.error(latest.state().lastError()),
                "Put the destination or route on hold until the cause is repaired: what waits does not die."));
    }

    // An event that dies now may be an old one, so as many are looked at as the groups of dead events are made of.
    private List<EventSummary> diedLately() {
        EventFilter filter = EventFilter.ALL.withState(State.DEAD);
        List<EventSummary> lately = new ArrayList<>();
        String after = null;
        int seen = 0;
        do {
            EventPage page = stores.events().events(new EventQuery(filter, after, SAMPLE_MAX));
            page.events().stream()
                    .filter(event -> !isLongAgo(DeadGroups.died(event), DYING_WITHIN))
                    .forEach(lately::add);
            seen += page.events().size();
            after = page.next();
        } while (after != null && seen < DeadGroups.EVENTS_MAX);
        return lately;
    }

    private Optional<Finding> retentionLate() {
        Optional<Duration> keep = live == null ? Optional.empty() : live.keepsDone();
        if (keep.isEmpty()) {
            return Optional.empty();
        }
        Duration allowed = keep.get().plus(PURGE_LATE);
        EventFilter old = EventFilter.ALL
                .withState(State.DONE)
                .createdBetween(null, picture.now().minus(allowed));
        return stores.events().range(old, null, LOOKED_AT_MAX).events().stream()
                .filter(event -> isLongAgo(doneAt(event), allowed))
                .findFirst()
                .map(event -> Finding.warning(
                        FindingCode.RETENTION_LATE,
                        "Done events stay longer than they should",
                        "event " + event.eventId() + " was done at " + Phrases.at(doneAt(event), picture.now())
                                + ", and done events are to be removed after " + Phrases.lasting(keep.get()),
                        "The relay purges once a day, and its log says how that went. If it was not running at that time,"
                                + " purge by hand, or wait for the next."));
    }

    private Instant doneAt(OutboxEvent event) {
        return Objects.requireNonNullElse(event.state().doneAt(), picture.now());
    }
}
