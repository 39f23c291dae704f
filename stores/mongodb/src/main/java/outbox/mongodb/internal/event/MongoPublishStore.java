package outbox.mongodb.internal.event;

import com.mongodb.MongoException;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.mongodb.MongoSource;
import outbox.mongodb.MongoTxContext;
import outbox.mongodb.internal.driver.MongoFailure;
import outbox.spi.PublishStore;

/** Stores events in the transaction of the calling thread's session, with one command for a batch. */
public final class MongoPublishStore implements PublishStore {

    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    private final MongoTxContext txContext;
    private final MongoSource source;

    public MongoPublishStore(MongoTxContext txContext, MongoSource source) {
        this.txContext = txContext;
        this.source = source;
    }

    @Override
    public boolean isTransactionActive() {
        return txContext.isTransactionActive();
    }

    @Override
    public void store(List<EventEnvelope> events, @Nullable ClaimTerms claim) {
        List<UpdateOneModel<Document>> inserts = new ArrayList<>(events.size());
        events.forEach(event -> inserts.add(insert(event, claim)));
        try {
            source.collections().events().bulkWrite(txContext.currentSession(), inserts);
        } catch (MongoException e) {
            throw MongoFailure.ofPublish(events, e);
        }
    }

    // An update that inserts, because only an update can make the server write its own time. It matches no existing
    // document, so the server refuses a duplicate id as it does for an insert.
    private static UpdateOneModel<Document> insert(EventEnvelope event, @Nullable ClaimTerms claim) {
        return new UpdateOneModel<>(
                Filters.and(Filters.eq(Field.ID, event.eventId()), Filters.exists(Field.SEQ, false)),
                new Document("$setOnInsert", EventDocuments.of(event, claim))
                        .append("$currentDate", EventDocuments.clockFields(event, claim)),
                UPSERT);
    }

    @Override
    public void afterCommit(Runnable action) {
        txContext.afterCommit(action);
    }
}
