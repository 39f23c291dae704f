package catbox.console;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.PauseText;
import outbox.admin.Phrases;
import outbox.admin.view.DeadGroup;
import outbox.admin.view.DestinationView;
import outbox.admin.view.Overview;
import outbox.model.EventState;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.relay.Pause;

/**
 * A problem that needs an operator, one click from where it can be solved.
 *
 * @param kind in one or two words
 * @param link the page about it
 * @param operation that the page shows
 * @param grave whether it keeps events from being delivered
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
            destinations();
            stuckKeys();
            deadGroups();
            pauses();
            return List.copyOf(found);
        }

        private void grave(String kind, String title, String detail, String operation, String link) {
            found.add(new Attention(kind, title, detail, link, operation, true));
        }

        /** Where there are no partitions, only the number of nodes shows that none delivers. */
        private void nodes() {
            String cluster = shell.at("/cluster");
            if (overview.nodes() == 0
                    && overview.partitions() == 0
                    && overview.pending().counted() > 0) {
                String detail = overview.pending() + " pending, and no node delivers them.";
                grave("No node", "No relay is alive", detail, "nodes", cluster);
            }
            if (overview.partitionsWithoutOwner() > 0) {
                String title = overview.partitionsWithoutOwner() + " of " + overview.partitions()
                        + " partitions have no owner";
                String detail = overview.nodes() == 0 ? "No node is alive." : "Their events are not delivered.";
                grave("No owner", title, detail, "partitions", cluster + "#partitions");
            }
        }

        private void destinations() {
            List<DestinationView> none = List.of();
            Part<List<DestinationView>> destinations = Part.of(() -> admin.run(new Request.Destinations()));
            for (DestinationView destination : Objects.requireNonNullElse(destinations.value(), none)) {
                if (destination.isDown()) {
                    String error = Objects.requireNonNullElse(destination.lastError(), "It does not answer.");
                    unavailable(destination.name(), error);
                }
                for (DestinationView.Address address : destination.addresses()) {
                    unavailable(destination.name() + ", " + address.address(), address.lastError());
                }
            }
        }

        private void unavailable(String name, String error) {
            grave("Unavailable", name, error, "destinations", shell.at("/destinations"));
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
                EventState state = entry.getValue().state();
                String detail = entry.getValue().eventType() + " has failed " + Phrases.times(state.attempts()) + ": "
                        + Phrases.error(state.lastError());
                grave("Stuck key", entry.getKey(), detail, "key", shell.at("/key", "key", entry.getKey()));
            });
            if (stuck.size() > NAMED_MAX || page.next() != null) {
                String title = page.next() == null ? (stuck.size() - NAMED_MAX) + " more" : "and more";
                String link = shell.at("/events", "state", "retry");
                grave("Stuck keys", title, "Events waiting for retry.", "events", link);
            }
        }

        private void deadGroups() {
            List<DeadGroup> groups = overview.dead().counted() == 0 ? List.of() : admin.run(new Request.Dead());
            groups.stream().limit(NAMED_MAX).forEach(group -> {
                boolean one = group.count().equals(new BoundedCount(1, false));
                String title = group.count() + (one ? " event, " : " events, ") + String.join(", ", group.types());
                String detail = group.error().isEmpty() ? "without an error" : group.error();
                String link = one ? shell.event(group.example()) : shell.at("/dead");
                grave("Dead", title, detail, one ? "event" : "dead", link);
            });
            if (groups.size() > NAMED_MAX) {
                String title = (groups.size() - NAMED_MAX) + " more groups";
                grave("Dead", title, "Grouped by error.", "dead", shell.at("/dead"));
            }
        }

        private void pauses() {
            overview.pauses().stream().limit(NAMED_MAX).forEach(pause -> {
                boolean isKey = pause.subject().kind() == Pause.Kind.KEY;
                String link = isKey ? shell.at("/key", "key", pause.subject().name()) : shell.at("/pauses");
                String title = PauseText.subject(pause.subject());
                paused(title, pause.reason() + " (" + pause.by() + ")", link, isKey ? "key" : "pauses");
            });
            int more = overview.pauses().size() - NAMED_MAX;
            if (more > 0) {
                paused(more + " more", "Until an operator resumes them.", shell.at("/pauses"), "pauses");
            }
        }

        private void paused(String title, String detail, String link, String operation) {
            found.add(new Attention("Paused", title, detail, link, operation, false));
        }
    }
}
