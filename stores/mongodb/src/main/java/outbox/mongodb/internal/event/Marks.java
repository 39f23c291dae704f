package outbox.mongodb.internal.event;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.spi.relay.PartitionOwnership;

/** Marks events whose delivery begins, because it may end the process. Fenced like settlements. */
public record Marks(PartitionOwnership ownership, Set<String> answered, Set<String> begun) {

    private static final Bson NO_DEATHS = Updates.unset(Field.DEATHS);
    private static final Bson ONE_MORE = Updates.inc(Field.DEATHS, 1);

    public int execute(ClientSession session, OutboxCollections collections) {
        List<UpdateManyModel<Document>> writes = new ArrayList<>();
        if (!answered.isEmpty()) {
            writes.add(new UpdateManyModel<>(pending(answered), NO_DEATHS, SettleUpdates.BY_ID));
        }
        if (!begun.isEmpty()) {
            writes.add(new UpdateManyModel<>(pending(begun), ONE_MORE, SettleUpdates.BY_ID));
        }
        if (!writes.isEmpty()) {
            collections.events().bulkWrite(session, writes);
        }
        if (!SettleTransaction.touch(session, collections, ownership)) {
            throw new SettleTransaction.Fenced();
        }
        return writes.size();
    }

    private static Bson pending(Set<String> eventIds) {
        return Filters.and(Filters.in(Field.ID, eventIds), Expression.PENDING);
    }
}
