package outbox.relay.internal.claim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.relay.route.Router;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.LanePage;
import outbox.spi.relay.PartitionStore;

/** Adds to events that were read which of their destinations have acknowledged them, where some go to several. */
public record Acknowledged(PartitionStore store, Router router) {

    public List<FetchedEvent> of(List<FetchedEvent> events) {
        if (events.isEmpty() || !router.fansOut()) {
            return events;
        }
        Map<String, Set<String>> targets = store.acknowledged(
                events.stream().map(pending -> pending.event().eventId()).toList());
        return targets.isEmpty() ? events : with(targets, events);
    }

    public List<LanePage> inLanes(List<LanePage> contents) {
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
                .map(lane -> new LanePage(lane.keyHash(), with(targets, lane.events()), lane.complete()))
                .toList();
    }

    private static List<FetchedEvent> with(Map<String, Set<String>> targets, List<FetchedEvent> events) {
        return events.stream()
                .map(pending -> {
                    Set<String> own = targets.get(pending.event().eventId());
                    return own == null ? pending : pending.withAcknowledged(own);
                })
                .toList();
    }
}
