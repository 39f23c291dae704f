package outbox.mongodb;

import outbox.Outbox;

/** The short way to an outbox on a MongoDB client. */
public final class MongoOutbox {

    private MongoOutbox() {}

    /** An outbox in the given place, for transactions that the context knows. */
    public static Outbox.Builder builder(MongoSource source, MongoTxContext txContext) {
        MongoStores stores = new MongoStores(source);
        return Outbox.builder(stores.publishing(txContext), stores.claims(), stores.settlements());
    }
}
