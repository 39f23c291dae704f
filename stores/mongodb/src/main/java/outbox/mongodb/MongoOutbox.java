package outbox.mongodb;

import outbox.Outbox;
import outbox.mongodb.internal.event.MongoDispatchStore;
import outbox.mongodb.internal.event.MongoPublishStore;

/** The short way to an outbox on a MongoDB client. */
public final class MongoOutbox {

    private MongoOutbox() {}

    /** An outbox in the given place, for transactions that the context knows. */
    public static Outbox.Builder builder(MongoSource source, MongoTxContext txContext) {
        return Outbox.builder(new MongoPublishStore(txContext, source), new MongoDispatchStore(source));
    }
}
