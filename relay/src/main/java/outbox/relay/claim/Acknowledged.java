package outbox.relay.claim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.model.LaneContent;
import outbox.model.PendingEvent;
import outbox.relay.route.Router;
import outbox.spi.RelayStore;

/** Adds to events that were read which of their destinations have acknowledged them, where some go to several. */
public record Acknowledged(RelayStore store, Router router) {

    public List<PendingEvent> of(List<PendingEvent> events) {
        if (events.isEmpty() || !router.fansOut()) {
            return events;
        }
        Map<String, Set<String>> targets = store.acknowledged(
                events.stream().map(pending -> pending.event().eventId()).toList());
        return targets.isEmpty() ? events : with(targets, events);
    }

    public List<LaneContent> inLanes(List<LaneContent> contents) {
        if (contents.isEmpty() || !router.fansOut()) {
            return contents;
        }
        List<String> ids = new ArrayList<>();
        contents.forEach(
                lane -> lane.events().forEach(pending -> ids.add(pending.event().eventId())));
        Map<String, Set<String>> targets = ids.isEmpty() ? Map.of() : store.acknowledged(ids);
        if (targets.isEmpty()) {
            return contents;
        }
        return contents.stream()
                .map(lane -> new LaneContent(lane.keyHash(), with(targets, lane.events()), lane.complete()))
                .toList();
    }

    private static List<PendingEvent> with(Map<String, Set<String>> targets, List<PendingEvent> events) {
        return events.stream()
                .map(pending -> {
                    Set<String> own = targets.get(pending.event().eventId());
                    return own == null ? pending : pending.withAcknowledged(own);
                })
                .toList();
    }
}
