package outbox.mongodb.internal.event;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.OutboxException;
import outbox.internal.ErrorText;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.mongodb.internal.schema.EventValidator;

/**
 * Sets events dead that cannot be read because another program has written invalid values into them; their error says
 * which. Any reader may do so, whether or not it owns the partition: the fault is the same for all, and a reader that
 * comes later finds the event dead.
 */
public record CorruptEvents(MongoSource source) {

    private static final Logger LOG = System.getLogger(CorruptEvents.class.getName());
    private static final String ATTEMPTED = "set unreadable events dead";
    private static final int READS_MAX = 100;

    /** Found through the index {@link EventIndex#LANE}, with one step into it for each bucket. */
    public static final Bson IN_NO_BUCKET = Filters.and(Expression.PENDING, Filters.nin(Field.BUCKET, Buckets.ALL));

    /** Found through the index {@link EventIndex#SLOT}. */
    public static final Bson TOO_EARLY = Filters.and(
            Expression.PENDING,
            Filters.in(Field.BUCKET, Buckets.ALL),
            Filters.gte(Field.SEQ, Seq.FIRST),
            Filters.lte(Field.SEQ, Seq.TOO_EARLY));

    /** In no index that partitions are read from: finding them means searching all pending keys. */
    public static final Bson WITHOUT_TICK = Filters.and(
            Expression.PENDING, Filters.in(Field.BUCKET, Buckets.ALL), Filters.not(Filters.gte(Field.SEQ, Seq.FIRST)));

    /** Repeats a read until it returns no corrupt event. The read passes corrupt events to its argument. */
    public <T> T without(Function<Consumer<StoredEvent>, T> read) {
        for (int reads = 0; reads < READS_MAX; reads++) {
            List<StoredEvent> faulty = new ArrayList<>(0);
            T result = read.apply(faulty::add);
            if (faulty.isEmpty()) {
                return result;
            }
            setDead(faulty);
        }
        throw new OutboxException("collection " + source.names().event() + " has too many events that cannot be read");
    }

    void setDead(List<StoredEvent> faulty) {
        List<UpdateOneModel<Document>> writes = new ArrayList<>();
        for (StoredEvent event : faulty) {
            String reason = ErrorText.fit("cannot be read: " + String.join("; ", event.faults()));
            LOG.log(Level.WARNING, "event {0} {1}; it is dead", event.event().eventId(), reason);
            Bson stillPending = Filters.and(Filters.eq(Field.ID, event.id()), Expression.PENDING);
            writes.add(new UpdateOneModel<>(stillPending, dead(reason), SettleUpdates.BY_ID));
        }
        source.use(ATTEMPTED, collections -> collections.events().bulkWrite(writes));
    }

    /** Sets events dead that no read of a partition returns, if an index leads to them. Touches no others. */
    public void setUnreachableDead() {
        setDead(IN_NO_BUCKET, "cannot be read: bucket must be keyHash % " + Buckets.COUNT, EventIndex.LANE);
        setDead(TOO_EARLY, "cannot be read: seq must be left to the server, as Timestamp(0, 0)", EventIndex.SLOT);
    }

    /** Sets all pending events dead that violate the validator for new documents; reads all pending events. */
    public void setInvalidDead() {
        Bson invalid = Filters.and(Expression.PENDING, Filters.nor(EventValidator.RULE));
        setDead(invalid, "cannot be read: it does not fit the validator of its collection", EventIndex.LANE);
    }

    private void setDead(Bson filter, String reason, String index) {
        long count = source.useUnlimited(
                        ATTEMPTED,
                        collections -> collections
                                .events()
                                .updateMany(filter, dead(reason), new UpdateOptions().hintString(index)))
                .getMatchedCount();
        if (count > 0) {
            LOG.log(Level.WARNING, "{0} events are dead: {1}", count, reason);
        }
    }

    // Lists of dead events are sorted by the time of creation, so each needs one.
    private static List<Bson> dead(String reason) {
        String createdAt = "$" + Field.CREATED_AT;
        Document isDate = Expression.of("$eq", new Document("$type", createdAt), "date");
        Document set = new Document(Field.STATUS, Field.FAILED)
                .append(Field.ERROR_MESSAGE, Expression.literal(reason))
                .append(Field.CREATED_AT, Expression.of("$cond", isDate, createdAt, Expression.NOW))
                .append(Field.LAST_ATTEMPT_AT, Expression.NOW);
        List<String> gone = new ArrayList<>(Claims.FIELDS);
        gone.add(Field.DELAYED);
        return List.of(new Document("$set", set), new Document("$unset", gone));
    }
}
