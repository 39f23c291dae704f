package catbox.console;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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

    private static final int RETRIES_READ = 50;

    static Part<List<Attention>> of(PageContext shell, OutboxAdmin admin, Overview overview) {
        return Part.of(() -> new Search(shell, admin, overview, new ArrayList<>()).all());
    }

    private record Search(PageContext shell, OutboxAdmin admin, Overview overview, List<Attention> found) {

        List<Attention> all() {
            nodes();
            breakers();
            stuckKeys();
            deadGroups();
            holds();
            return List.copyOf(found);
        }

        private void grave(String kind, String title, String detail, String operation, String link) {
            found.add(new Attention(kind, title, detail, link, operation, true));
        }

        /** Where there are no partitions, only the number of nodes shows that none delivers. */
        private void nodes() {
            String cluster = shell.at("/cluster");
            boolean waits = overview.pending().counted() > 0;
            if (overview.nodes() == 0 && overview.partitions() == 0 && waits) {
                String detail = overview.pending() + " pending, and nobody delivers them.";
                grave("No node", "No relay is alive", detail, "nodes", cluster);
            }
            if (overview.partitionsWithoutOwner() > 0) {
                String title = overview.partitionsWithoutOwner() + " of " + overview.partitions()
                        + " partitions have no owner";
                String detail = overview.nodes() == 0 ? "No node is alive." : "Nobody delivers their events.";
                grave("No owner", title, detail, "partitions", cluster + "#partitions");
            }
        }

        private void breakers() {
            Part<List<DestinationView>> destinations = Part.of(() -> admin.run(new Request.Destinations()));
            for (DestinationView destination :
                    Objects.requireNonNullElse(destinations.value(), List.<DestinationView>of())) {
                if (destination.isDown()) {
                    unavailable(destination.name(), destination.lastError());
                }
                for (DestinationView.Address address : destination.addresses()) {
                    unavailable(destination.name() + ", " + address.address(), address.lastError());
                }
            }
        }

        private void unavailable(String name, @Nullable String error) {
            String detail = error == null ? "It does not answer." : error;
            grave("Unavailable", name, detail, "destinations", shell.at("/destinations"));
        }

        /** A key is stuck while its first event waits for its retry. */
        private void stuckKeys() {
            Map<String, EventSummary> stuck = new LinkedHashMap<>();
            EventFilter retry = EventFilter.ALL.withState(EventFilter.State.RETRY);
            EventPage page = admin.run(new Request.Events(new EventQuery(retry, null, RETRIES_READ)));
            for (EventSummary event : page.events()) {
                if (event.key() != null) {
                    stuck.putIfAbsent(event.key(), event);
                }
            }
            stuck.entrySet().stream().limit(NAMED_MAX).forEach(entry -> {
                EventSummary event = entry.getValue();
                String detail =
                        event.eventType() + " has failed " + times(event.state().attempts()) + ": " + error(event);
                grave("Stuck key", entry.getKey(), detail, "key", shell.at("/key", "key", entry.getKey()));
            });
            if (stuck.size() > NAMED_MAX || page.next() != null) {
                String title = page.next() == null ? (stuck.size() - NAMED_MAX) + " more" : "and more";
                String link = shell.at("/events", "state", "retry");
                grave("Stuck keys", title, "Events that wait for their retry.", "events", link);
            }
        }

        private void deadGroups() {
            List<DeadGroup> groups = overview.dead().counted() == 0 ? List.of() : admin.run(new Request.Dead());
            groups.stream().limit(NAMED_MAX).forEach(group -> {
                String title = events(group.count()) + ", " + String.join(", ", group.types());
                String detail = group.error().isEmpty() ? "without an error" : group.error();
                boolean one = isOne(group.count());
                grave(
                        "Dead",
                        title,
                        detail,
                        one ? "event" : "dead",
                        one ? shell.event(group.example()) : shell.at("/dead"));
            });
            if (groups.size() > NAMED_MAX) {
                String title = (groups.size() - NAMED_MAX) + " more groups";
                grave("Dead", title, "Grouped by what they died of.", "dead", shell.at("/dead"));
            }
        }

        private void holds() {
            overview.holds().stream().limit(NAMED_MAX).forEach(hold -> {
                boolean isKey = hold.subject().kind() == Pause.Kind.KEY;
                String detail = hold.reason() + " (" + hold.by() + ")";
                String link = isKey ? shell.at("/key", "key", hold.subject().name()) : shell.at("/holds");
                found.add(new Attention("On hold", subject(hold), detail, link, isKey ? "key" : "holds", false));
            });
            int more = overview.holds().size() - NAMED_MAX;
            if (more > 0) {
                String title = more + " more";
                found.add(new Attention(
                        "On hold", title, "Until somebody resumes them.", shell.at("/holds"), "holds", false));
            }
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
