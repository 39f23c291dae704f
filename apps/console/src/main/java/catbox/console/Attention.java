package catbox.console;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.DeadGroup;
import outbox.admin.view.DestinationView;
import outbox.admin.view.Overview;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.relay.Pause;

/**
 * Something that needs a person, one click from where it can be dealt with.
 *
 * @param kind in a word or two
 * @param link the page about it
 * @param operation that the page shows
 * @param grave whether events do not arrive because of it
 */
public record Attention(String kind, String title, String detail, String link, String operation, boolean grave) {

    /** How many of a kind are named; the rest is behind a link. */
    static final int NAMED_MAX = 5;

    private static final int RETRIES_LOOKED_AT = 50;

    static Part<List<Attention>> of(PageContext shell, OutboxAdmin admin, Overview overview) {
        return Part.of(() -> {
            List<Attention> all = new ArrayList<>();
            withoutNode(shell, overview, all);
            withoutOwner(shell, overview, all);
            breakers(shell, admin, all);
            stuckKeys(shell, admin, all);
            deadGroups(shell, admin, overview, all);
            holds(shell, overview, all);
            return List.copyOf(all);
        });
    }

    /** Where there are no partitions nothing else tells it. */
    private static void withoutNode(PageContext shell, Overview overview, List<Attention> all) {
        boolean waits = overview.pending().counted() > 0;
        if (overview.nodes() == 0 && overview.partitions() == 0 && waits) {
            all.add(new Attention(
                    "No node",
                    "No relay is alive",
                    overview.pending() + " pending, and nobody delivers them.",
                    shell.at("/cluster"),
                    "nodes",
                    true));
        }
    }

    private static void withoutOwner(PageContext shell, Overview overview, List<Attention> all) {
        if (overview.partitionsWithoutOwner() > 0) {
            all.add(new Attention(
                    "No owner",
                    overview.partitionsWithoutOwner() + " of " + overview.partitions() + " partitions have no owner",
                    overview.nodes() == 0 ? "No node is alive." : "Nobody delivers their events.",
                    shell.at("/cluster") + "#partitions",
                    "partitions",
                    true));
        }
    }

    private static void breakers(PageContext shell, OutboxAdmin admin, List<Attention> all) {
        Part<List<DestinationView>> destinations = Part.of(() -> admin.run(new Request.Destinations()));
        if (destinations.value() == null) {
            return;
        }
        for (DestinationView destination : destinations.value()) {
            if (destination.isDown()) {
                all.add(unavailable(shell, destination.name(), destination.lastError()));
            }
            for (DestinationView.Address address : destination.addresses()) {
                all.add(unavailable(shell, destination.name() + ", " + address.address(), address.lastError()));
            }
        }
    }

    private static Attention unavailable(PageContext shell, String name, @Nullable String error) {
        return new Attention(
                "Unavailable",
                name,
                error == null ? "It does not answer." : error,
                shell.at("/destinations"),
                "destinations",
                true);
    }

    /** A key is stuck while its first event waits for its retry. */
    private static void stuckKeys(PageContext shell, OutboxAdmin admin, List<Attention> all) {
        Map<String, EventSummary> stuck = new LinkedHashMap<>();
        EventFilter retry = EventFilter.ALL.withState(EventFilter.State.RETRY);
        EventPage page = admin.run(new Request.Events(new EventQuery(retry, null, RETRIES_LOOKED_AT)));
        for (EventSummary event : page.events()) {
            if (event.key() != null) {
                stuck.putIfAbsent(event.key(), event);
            }
        }
        stuck.entrySet().stream().limit(NAMED_MAX).forEach(entry -> {
            EventSummary event = entry.getValue();
            all.add(new Attention(
                    "Stuck key",
                    entry.getKey(),
                    event.eventType() + " has failed " + times(event.state().attempts()) + ": " + error(event),
                    shell.at("/key", "key", entry.getKey()),
                    "key",
                    true));
        });
        if (stuck.size() > NAMED_MAX || page.next() != null) {
            all.add(new Attention(
                    "Stuck keys",
                    page.next() == null ? (stuck.size() - NAMED_MAX) + " more" : "and more",
                    "Events that wait for their retry.",
                    shell.at("/events", "state", "retry"),
                    "events",
                    true));
        }
    }

    private static void deadGroups(PageContext shell, OutboxAdmin admin, Overview overview, List<Attention> all) {
        if (overview.dead().counted() == 0) {
            return;
        }
        List<DeadGroup> groups = admin.run(new Request.Dead());
        groups.stream()
                .limit(NAMED_MAX)
                .forEach(group -> all.add(new Attention(
                        "Dead",
                        events(group.count()) + ", " + String.join(", ", group.types()),
                        group.error().isEmpty() ? "without an error" : group.error(),
                        isOne(group.count()) ? shell.event(group.example()) : shell.at("/dead"),
                        isOne(group.count()) ? "event" : "dead",
                        true)));
        if (groups.size() > NAMED_MAX) {
            all.add(new Attention(
                    "Dead",
                    (groups.size() - NAMED_MAX) + " more groups",
                    "Grouped by what they died of.",
                    shell.at("/dead"),
                    "dead",
                    true));
        }
    }

    private static void holds(PageContext shell, Overview overview, List<Attention> all) {
        overview.holds().stream()
                .limit(NAMED_MAX)
                .forEach(hold -> all.add(new Attention(
                        "On hold",
                        subject(hold),
                        hold.reason() + " (" + hold.by() + ")",
                        hold.subject().kind() == Pause.Kind.KEY
                                ? shell.at("/key", "key", hold.subject().name())
                                : shell.at("/holds"),
                        hold.subject().kind() == Pause.Kind.KEY ? "key" : "holds",
                        false)));
        int more = overview.holds().size() - NAMED_MAX;
        if (more > 0) {
            all.add(new Attention(
                    "On hold", more + " more", "Until somebody resumes them.", shell.at("/holds"), "holds", false));
        }
    }

    static String subject(Pause hold) {
        String kind = hold.subject().kind().name().toLowerCase(Locale.ROOT);
        return hold.subject().name().isEmpty()
                ? "the whole " + kind
                : kind + " " + hold.subject().name();
    }

    private static String events(BoundedCount count) {
        return count + (isOne(count) ? " event" : " events");
    }

    private static boolean isOne(BoundedCount count) {
        return count.counted() == 1 && !count.more();
    }

    private static String times(int attempts) {
        return attempts == 1 ? "once" : attempts + " times";
    }

    private static String error(EventSummary event) {
        String error = event.state().lastError();
        return error == null ? "no error was written down" : error;
    }
}
