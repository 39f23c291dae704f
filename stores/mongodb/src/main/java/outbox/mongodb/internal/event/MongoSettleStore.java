package outbox.mongodb.internal.event;

import outbox.mongodb.MongoSource;
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
            case SettleRequest.Fence.Ownership slot ->
                throw new IllegalArgumentException(
                        "partition " + slot.ownership().partition()
                                + " is settled by the store of partitions, which knows its owner's session");
            case SettleRequest.Fence.Tokens tokens
            when request.items().stream().anyMatch(item -> item.pausesKey() != null) ->
                source.transact(ATTEMPTED, new SettleTransaction(request)::execute);
            case SettleRequest.Fence.Tokens tokens ->
                source.use(ATTEMPTED, collections -> {
                    SettleWrites writes = new SettleWrites(request, new SettleWrites.Commands(collections, null));
                    return writes.result(writes.execute());
                });
        };
    }
}
