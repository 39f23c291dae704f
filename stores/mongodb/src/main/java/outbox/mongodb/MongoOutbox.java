package outbox.mongodb;

import outbox.Outbox;

/** Creates outboxes on a MongoDB client. */
public final class MongoOutbox {

    private MongoOutbox() {}

    /** An outbox in this source, for the context's transactions. */
    public static Outbox.Builder builder(MongoSource source, MongoTxContext txContext) {
        MongoStores stores = new MongoStores(source);
        return Outbox.builder(stores.publishing(txContext), stores.claims(), stores.settlements());
    }
}
