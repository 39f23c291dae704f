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
 * What becomes of events that cannot be read, because another program wrote something else into them: they are dead, and
 * say why. Whoever meets one goes on without it. Nobody has to own their slot for that: what is wrong with them is so for
 * everybody, and a node that comes late finds them dead.
 */
public record CorruptEvents(MongoSource source) {

    private static final Logger LOG = System.getLogger(CorruptEvents.class.getName());
    private static final int LOOKS_MAX = 100;

    /** Found through the index {@link EventIndex#LANE}, as so many steps into it as there are buckets. */
    public static final Bson IN_NO_BUCKET = Filters.and(Expression.PENDING, Filters.nin(Field.BUCKET, Buckets.ALL));

    /** Found through the index {@link EventIndex#SLOT}. */
    public static final Bson TOO_EARLY = Filters.and(
            Expression.PENDING,
            Filters.in(Field.BUCKET, Buckets.ALL),
            Filters.gte(Field.SEQ, Seq.FIRST),
            Filters.lte(Field.SEQ, Seq.TOO_EARLY));

    /** In none of the indexes that slots are read from: to find them, all keys have to be looked at that are pending. */
    public static final Bson WITHOUT_TICK = Filters.and(
            Expression.PENDING, Filters.in(Field.BUCKET, Buckets.ALL), Filters.not(Filters.gte(Field.SEQ, Seq.FIRST)));

    /** Repeats a look until everything that it sees can be read; what cannot be read it hands over. */
    public <T> T without(Function<Consumer<StoredEvent>, T> look) {
        for (int looks = 0; looks < LOOKS_MAX; looks++) {
            List<StoredEvent> faulty = new ArrayList<>(0);
            T seen = look.apply(faulty::add);
            if (faulty.isEmpty()) {
                return seen;
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
            Bson itself = Filters.and(Filters.eq(Field.ID, event.id()), Expression.PENDING);
            writes.add(new UpdateOneModel<>(itself, dead(reason), SettleUpdates.BY_ID));
        }
        source.use(
                "set events dead that cannot be read",
                collections -> collections.events().bulkWrite(writes));
    }

    /** Those that no slot would show, as far as an index leads to them. Touches no others. */
    public void setDeadOutsideOfAllSlots() {
        setDead(IN_NO_BUCKET, "cannot be read: bucket must be keyHash % " + Buckets.COUNT, EventIndex.LANE);
        setDead(TOO_EARLY, "cannot be read: seq must be left to the server, as Timestamp(0, 0)", EventIndex.SLOT);
    }

    /** All that do not fit the rule for new documents; reads everything that is pending. */
    public void setDeadAgainstTheRule() {
        Bson against = Filters.and(Expression.PENDING, Filters.nor(EventValidator.RULE));
        setDead(against, "cannot be read: it does not fit the validator of its collection", EventIndex.LANE);
    }

    private void setDead(Bson filter, String reason, String index) {
        long count = source.usePatiently(
                        "set events dead that cannot be read",
                        collections -> collections
                                .events()
                                .updateMany(filter, dead(reason), new UpdateOptions().hintString(index)))
                .getMatchedCount();
        if (count > 0) {
            LOG.log(Level.WARNING, "{0} events are dead: {1}", count, reason);
        }
    }

    // Dead events are listed by the time of their creation, so they need one.
    private static List<Bson> dead(String reason) {
        String createdAt = "$" + Field.CREATED_AT;
        Document isDate = Expression.of("$eq", new Document("$type", createdAt), "date");
        List<String> gone = new ArrayList<>(Claims.FIELDS);
        gone.add(Field.DELAYED);
        return List.of(
                new Document(
                        "$set",
                        new Document(Field.STATUS, Field.FAILED)
                                .append(Field.ERROR_MESSAGE, Expression.literal(reason))
                                .append(Field.CREATED_AT, Expression.of("$cond", isDate, createdAt, Expression.NOW))
                                .append(Field.LAST_ATTEMPT_AT, Expression.NOW)),
                new Document("$unset", gone));
    }
}
