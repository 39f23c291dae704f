package outbox.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.internal.KeyHash;
import outbox.model.EventStatus;
import outbox.spi.operations.ClusterReport;
import outbox.spi.operations.EventSummary;
import outbox.spi.relay.Pause;

/**
 * Explains to an operator why a lane does not move. A lane moves when nothing of it is paused, its first event is due, a
 * node owns its partition, and that event's destination accepts it. These are checked in this order, from what an operator
 * has decided to what may only take a moment.
 *
 * @param name the lane's key, or the id of an event without one
 * @param lane its pending events in their order
 */
record LaneExplanation(String name, List<EventSummary> lane, ClusterPicture picture, RouteExplanation route) {

    /** An event that has been due for longer, and that nothing stops, is worth a sentence. */
    private static final Duration LONG_DUE = Duration.ofMinutes(1);

    List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        addPauses(reasons);
        Optional<EventSummary> head =
                lane.stream().filter(event -> !isDelayed(event)).findFirst();
        if (head.isPresent()) {
            addHead(head.get(), reasons);
            addNodes(reasons);
            reasons.addAll(route.reasons(head.get()));
            if (reasons.isEmpty()) {
                addUnexplained(head.get(), reasons);
            }
        } else {
            lane.stream()
                    .min(Comparator.comparing(event -> event.state().availableAt()))
                    .ifPresent(next -> reasons.add("Event " + next.eventId() + " is scheduled for delivery at "
                            + Phrases.at(next.state().availableAt(), now())
                            + ". Nothing needs to be done until then."));
        }
        return List.copyOf(reasons);
    }

    // ---- pauses --------------------------------------------------------------------------------------------------

    private void addPauses(List<String> reasons) {
        picture.pause(Pause.Kind.SOURCE, "").map(PauseText::sentence).ifPresent(reasons::add);
        picture.pause(Pause.Kind.KEY, name).map(PauseText::sentence).ifPresent(reasons::add);
        for (Pause pause : picture.pauses()) {
            if (pause.subject().kind() == Pause.Kind.KEY
                    && sharesHash(pause.subject().name())) {
                reasons.add("Another key, " + pause.subject().name() + ", has the same hash and shares this lane. "
                        + PauseText.sentence(pause));
            }
        }
        Integer partition = picture.partitionOf(name);
        if (partition != null) {
            picture.pause(Pause.Kind.PARTITION, partition.toString())
                    .map(PauseText::sentence)
                    .ifPresent(reasons::add);
        }
    }

    private boolean sharesHash(@Nullable String key) {
        return key != null && !key.equals(name) && KeyHash.of(key) == KeyHash.of(name);
    }

    // ---- the first event -----------------------------------------------------------------------------------------

    /** All others wait for the first event that is not delayed; a delayed one takes its place when it is due. */
    private boolean isDelayed(EventSummary event) {
        return event.state().status() == EventStatus.NEW
                && event.state().availableAt().isAfter(now());
    }

    private void addHead(EventSummary head, List<String> reasons) {
        if (picture.keepsOrder() && sharesHash(head.key())) {
            reasons.add("Event " + head.eventId() + " of another key, " + head.key()
                    + ", comes first: both keys have the same hash and share a lane. See key " + head.key() + ".");
        }
        if (head.state().status() == EventStatus.RETRY
                && head.state().availableAt().isAfter(now())) {
            reasons.add("Event " + head.eventId() + " has failed "
                    + Phrases.times(head.state().attempts()) + " and is retried at "
                    + Phrases.at(head.state().availableAt(), now())
                    + (picture.keepsOrder() ? "; the events behind it wait, to keep the order" : "")
                    + ". Last error: " + Phrases.error(head.state().lastError())
                    + ". Repair the cause; the next attempt is automatic.");
        }
    }

    // ---- the nodes -----------------------------------------------------------------------------------------------

    private void addNodes(List<String> reasons) {
        if (picture.report().terms() == null) {
            reasons.add("No relay has ever worked on this table. If applications deliver the events themselves, see"
                    + " their logs; otherwise start a relay.");
        } else if (picture.alive().isEmpty()) {
            reasons.add("No relay is alive. Start one; the log of the last one says why it stopped.");
        } else if (picture.able().isEmpty()) {
            reasons.add("Every live node is drained" + (picture.hasPartitions() ? " or has weight 0" : "") + " ("
                    + ClusterPicture.names(picture.alive()) + "), so nothing is delivered. Resume a node.");
        } else if (picture.hasPartitions()) {
            Integer partition = picture.partitionOf(name);
            picture.owner(partition)
                    .ifPresentOrElse(
                            owner -> addOwner(owner, partition, reasons), () -> addNoOwner(partition, reasons));
        }
    }

    private void addOwner(ClusterReport.Node owner, @Nullable Integer partition, List<String> reasons) {
        String nodeId = owner.member().nodeId();
        if (picture.isLate(owner)) {
            reasons.add("Node " + nodeId + " owns partition " + partition + " and has sent no heartbeat for "
                    + Phrases.lasting(picture.heartbeatAge(owner))
                    + ": it is stopped, frozen or cut off from the database. Without a heartbeat, another node takes over"
                    + " at " + Phrases.at(owner.expiresAt(), now()) + ".");
        }
        if (picture.isDrained(owner)) {
            reasons.add("Node " + nodeId + " is being drained and hands over partition " + partition
                    + "; another node continues within seconds.");
        }
    }

    private void addNoOwner(@Nullable Integer partition, List<String> reasons) {
        Integer wanted = picture.report().partitionsWanted();
        reasons.add(
                wanted != null
                        ? "The cluster is changing to " + wanted + " partitions: all are handed over and then continue."
                                + " If this takes longer than a minute, check for a node without heartbeats."
                        : "Partition " + partition + " has no owner at present. A live node takes it within seconds; if"
                                + " none does, see the nodes' logs.");
    }

    // ---- nothing found -------------------------------------------------------------------------------------------

    private void addUnexplained(EventSummary head, List<String> reasons) {
        Instant due = head.state().availableAt();
        if (Duration.between(due, now()).compareTo(LONG_DUE) > 0) {
            reasons.add("Event " + head.eventId() + " has been due since " + Phrases.at(due, now())
                    + ", and no reason is recorded. It may be in flight to a slow destination, or behind many others:"
                    + " check the destinations and the owner's log.");
        }
    }

    private Instant now() {
        return picture.now();
    }
}
