package outbox.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.model.FetchRequest;
import outbox.model.Fetched;
import outbox.model.LaneContent;
import outbox.model.LaneRequest;
import outbox.model.PollRequest;
import outbox.model.Polled;
import outbox.model.SettleRequest;
import outbox.spi.RelayStore;

/**
 * What a relay reads and settles. Every look is one command on one snapshot; a settle is one transaction. One instance
 * serves all threads of a node.
 */
public final class MongoRelayStore implements RelayStore {

    private final MongoSource source;

    public MongoRelayStore(MongoSource source) {
        this.source = source;
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        return new SlotRead(source, request).execute();
    }

    @Override
    public List<LaneContent> fetchLanes(LaneRequest request) {
        return new LaneRead(source, request).execute();
    }

    @Override
    public Polled poll(PollRequest request) {
        return new PollRead(source, request).execute();
    }

    @Override
    public Map<String, Set<String>> acknowledged(Collection<String> eventIds) {
        Map<String, Set<String>> targets = new HashMap<>();
        if (eventIds.isEmpty()) {
            return targets;
        }
        source.use(
                        "look up acknowledgements",
                        collections -> collections
                                .events()
                                .find(Filters.and(Filters.in(Field.ID, eventIds), Filters.exists(Field.ACKNOWLEDGED)))
                                .projection(Projections.include(Field.ACKNOWLEDGED))
                                .into(new HashSet<>()))
                .forEach(event -> targets.put(
                        event.getString(Field.ID), new HashSet<>(event.getList(Field.ACKNOWLEDGED, String.class))));
        return targets;
    }

    @Override
    public int settle(SettleRequest request) {
        SettleTransaction settle = new SettleTransaction(request);
        try {
            return source.transact("settle events", settle::execute);
        } catch (SettleTransaction.Fenced e) {
            return FENCED;
        }
    }
}
