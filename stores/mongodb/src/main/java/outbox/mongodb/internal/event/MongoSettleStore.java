package outbox.mongodb.internal.event;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.WriteModel;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.spi.SettleStore;

/**
 * Settles events that were claimed one by one. Each has a fence of its own, so nothing is kept together in a transaction,
 * and a process that vanishes half way leaves nothing locked; except where a dead event pauses its key.
 */
public record MongoSettleStore(MongoSource source) implements SettleStore {

    private static final String ATTEMPTED = "settle events";

    @Override
    public SettleResult settle(SettleRequest request) {
        return switch (request.fence()) {
            case SettleRequest.Fence.Slot slot ->
                throw new IllegalArgumentException("partition " + slot.hold().slot()
                        + " is settled by the store of partitions, which knows its owner's session");
            case SettleRequest.Fence.Tokens tokens
            when request.items().stream().anyMatch(item -> item.pausesKey() != null) ->
                source.transact(ATTEMPTED, new SettleTransaction(request)::execute);
            case SettleRequest.Fence.Tokens tokens ->
                source.use(ATTEMPTED, collections -> {
                    SettleWrites writes = new SettleWrites(request, new Alone(collections));
                    return writes.result(writes.execute());
                });
        };
    }

    /** Each command by itself. */
    private record Alone(OutboxCollections collections) implements SettleWrites.Commands {

        @Override
        public BulkWriteResult write(List<WriteModel<Document>> writes) {
            return collections.events().bulkWrite(writes);
        }

        @Override
        public List<Document> read(List<String> eventIds) {
            return collections
                    .events()
                    .find(Filters.in(Field.ID, eventIds))
                    .projection(Projections.include(SettleWrites.READ))
                    .into(new ArrayList<>());
        }
    }
}
