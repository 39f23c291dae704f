package outbox.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.internal.KeyHash;
import outbox.model.EventStatus;
import outbox.spi.operations.EventSummary;
import outbox.spi.relay.Pause;

/**
 * Why a lane does not move, in sentences for whoever is on call. A lane moves when nothing of it is on hold, its first
 * event is due, a node works on its partition, and that event's destination takes it; each of these is looked at in this
 * order, which goes from what somebody has decided to what may just take a moment.
 *
 * @param name the lane's key, or the id of an event without one
 * @param lane its pending events in their order
 */
record LaneExplanation(String name, List<EventSummary> lane, ClusterPicture picture, RouteExplanation way) {

    /** An event that has been due for so long, with nothing in its way, is worth a sentence. */
    private static final Duration LONG_DUE = Duration.ofMinutes(1);

    List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        addHolds(reasons);
        if (!lane.isEmpty()) {
            Optional<EventSummary> head = head();
            if (head.isPresent()) {
                addHead(head.get(), reasons);
                addNodes(reasons);
                reasons.addAll(way.reasons(head.get()));
            } else {
                EventSummary next = soonest();
                reasons.add("Event " + next.eventId() + " was published to be delivered not before "
                        + Phrases.at(next.state().availableAt(), now()) + ". There is nothing to do until then.");
            }
            addUnexplained(head, reasons);
        }
        return List.copyOf(reasons);
    }

    // ---- holds ---------------------------------------------------------------------------------------------------

    private void addHolds(List<String> reasons) {
        picture.hold(Pause.Kind.SOURCE, "").map(PauseText::sentence).ifPresent(reasons::add);
        picture.hold(Pause.Kind.KEY, name).map(PauseText::sentence).ifPresent(reasons::add);
        for (Pause hold : picture.holds()) {
            if (hold.subject().kind() == Pause.Kind.KEY && isTwin(hold.subject().name())) {
                reasons.add("Another key, " + hold.subject().name() + ", has the same hash and so shares this lane. "
                        + PauseText.sentence(hold));
            }
        }
        Integer partition = picture.partitionOf(name);
        if (partition != null) {
            picture.hold(Pause.Kind.PARTITION, partition.toString())
                    .map(PauseText::sentence)
                    .ifPresent(reasons::add);
        }
    }

    private boolean isTwin(@Nullable String key) {
        return key != null && !key.equals(name) && KeyHash.of(key) == KeyHash.of(name);
    }

    // ---- the first event -----------------------------------------------------------------------------------------

    /** The event that all others wait for; a delayed one takes its place when it is due. */
    private Optional<EventSummary> head() {
        return lane.stream().filter(event -> !isDelayed(event)).findFirst();
    }

    private boolean isDelayed(EventSummary event) {
        return event.state().status() == EventStatus.NEW
                && event.state().availableAt().isAfter(now());
    }

    private EventSummary soonest() {
        EventSummary soonest = lane.get(0);
        for (EventSummary event : lane) {
            if (event.state().availableAt().isBefore(soonest.state().availableAt())) {
                soonest = event;
            }
        }
        return soonest;
    }

    private void addHead(EventSummary head, List<String> reasons) {
        if (picture.keepsOrder() && isTwin(head.key())) {
            reasons.add("Event " + head.eventId() + " of another key, " + head.key() + ", comes first: the two keys"
                    + " have the same hash and so share a lane. Look at key " + head.key() + ".");
        }
        if (head.state().status() == EventStatus.RETRY
                && head.state().availableAt().isAfter(now())) {
            reasons.add("Event " + head.eventId() + " has failed "
                    + Phrases.times(head.state().attempts())
                    + " and is tried again at " + Phrases.at(head.state().availableAt(), now())
                    + (picture.keepsOrder() ? "; everything behind it waits, to keep the order" : "")
                    + ". Last error: "
                    + Phrases.error(head.state().lastError())
                    + ". Repair what the error says; the next attempt comes by itself.");
        }
    }

    // ---- who works on it -----------------------------------------------------------------------------------------

    private void addNodes(List<String> reasons) {
        if (picture.report().terms() == null) {
            reasons.add("No relay has ever worked on this table. If the applications deliver by themselves, look at"
                    + " their logs; otherwise start a relay.");
        } else if (picture.alive().isEmpty()) {
            reasons.add("No relay is alive. Start one, or see in the log of the last one why it stopped.");
        } else if (picture.able().isEmpty()) {
            reasons.add("Every live node is drained" + (picture.hasPartitions() ? " or has weight 0" : "") + " ("
                    + names(picture.alive().stream()
                            .map(node -> node.member().nodeId())
                            .toList())
                    + "), so nobody delivers. Resume a node.");
        } else if (picture.hasPartitions()) {
            addOwner(reasons);
        }
    }

    private void addOwner(List<String> reasons) {
        Integer partition = picture.partitionOf(name);
        Integer wanted = picture.report().partitionsWanted();
        picture.owner(partition)
                .ifPresentOrElse(
                        owner -> {
                            String nodeId = owner.member().nodeId();
                            if (picture.isLate(owner)) {
                                reasons.add("Node " + nodeId + " owns partition " + partition
                                        + " and has not been heard of for "
                                        + Phrases.lasting(picture.heartbeatAge(owner))
                                        + ": it is stopped, frozen or cut off from the database. If it stays silent,"
                                        + " another node takes over at " + Phrases.at(owner.expiresAt(), now()) + ".");
                            }
                            if (picture.isDrained(owner)) {
                                reasons.add("Node " + nodeId + " is being drained and hands over partition " + partition
                                        + "; another node goes on within seconds.");
                            }
                        },
                        () -> reasons.add(
                                wanted != null
                                        ? "The cluster is changing to " + wanted + " partitions: all are handed over,"
                                                + " and then go on. If it lasts longer than a minute, look for a node"
                                                + " that is silent."
                                        : "Partition " + partition + " has no owner just now. A live node takes it"
                                                + " within seconds; if it does not, look at the nodes' logs."));
    }

    private static String names(List<String> nodeIds) {
        return String.join(", ", nodeIds);
    }

    // ---- nothing found -------------------------------------------------------------------------------------------

    private void addUnexplained(Optional<EventSummary> head, List<String> reasons) {
        if (head.isEmpty() || !reasons.isEmpty()) {
            return;
        }
        Instant due = head.get().state().availableAt();
        if (Duration.between(due, now()).compareTo(LONG_DUE) > 0) {
            reasons.add("Event " + head.get().eventId() + " has been due since " + Phrases.at(due, now())
                    + ", and nothing that is written down keeps it. It may be under way to a destination that is slow"
                    + " to answer, or behind many others: look at the destinations and at the owner's log.");
        }
    }

    private Instant now() {
        return picture.now();
    }
}
