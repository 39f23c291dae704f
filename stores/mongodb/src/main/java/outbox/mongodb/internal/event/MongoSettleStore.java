package outbox.mongodb.internal.event;

import outbox.mongodb.MongoSource;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.spi.SettleStore;

/**
 * Settles events that were claimed one by one. Each has its own fence, so no transaction is needed, and a process that
 * vanishes half-way leaves nothing locked. Only dead events that pause their keys need a transaction.
 */
public record MongoSettleStore(MongoSource source) implements SettleStore {

    private static final String ATTEMPTED = "settle events";

    @Override
    public SettleResult settle(SettleRequest request) {
        return switch (request.fence()) {
            case SettleRequest.Fence.Ownership fence ->
                throw new IllegalArgumentException(
                        "partition " + fence.ownership().partition()
                                + " is settled by the store of partitions, which knows its owner's session");
            case SettleRequest.Fence.Tokens tokens
            when request.items().stream().anyMatch(item -> item.pausesKey() != null) ->
                source.transact(ATTEMPTED, new SettleTransaction(source, request)::execute);
            case SettleRequest.Fence.Tokens tokens ->
                source.use(ATTEMPTED, collections -> {
                    SettleWrites writes = new SettleWrites(source, request, collections, null);
                    return writes.result(writes.execute());
                });
        };
    }
}
