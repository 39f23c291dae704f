package outbox.mongodb.internal.schema;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.Seq;
import outbox.spi.relay.ClusterLayout;

/**
 * The indexes on events. Each holds only the events that its readers look for, so that what it costs follows what is
 * pending, and not what was ever stored.
 *
 * @param keys the fields, in their order
 * @param holds which documents have an entry
 */
public record EventIndex(String name, List<String> keys, Bson holds) {

    public static final String DUE = "due";
    public static final String LANE = "lane";
    public static final String SLOT = "slot";
    public static final String DONE = "done";
    public static final String DEAD = "dead";

    /** Only those who search have these two, and only if they want; each has every event of a key, or of a type. */
    static final EventIndex SEARCH_KEY =
            new EventIndex("search_key", List.of(Field.MESSAGE_GROUP, Field.ID), Filters.exists(Field.MESSAGE_GROUP));

    static final EventIndex SEARCH_TYPE =
            new EventIndex("search_type", List.of(Field.TYPE, Field.ID), Filters.exists(Field.TYPE));

    private static final Bson DELAYED = Filters.and(Expression.PENDING, Filters.eq(Field.DELAYED, true));

    /** What relays that own slots read. */
    public static final List<EventIndex> FOR_SLOTS = List.of(
            new EventIndex(LANE, List.of(Field.BUCKET, Field.KEY_HASH, Field.SEQ), Expression.PENDING),
            // The hash last: so that lanes are left out, and slots told apart, without reading a document. And only for
            // those who ask for a seq: so that nobody is given this one who means the other.
            new EventIndex(
                    SLOT,
                    List.of(Field.BUCKET, Field.SEQ, Field.KEY_HASH),
                    Filters.and(Expression.PENDING, Filters.gte(Field.SEQ, Seq.FIRST))),
            new EventIndex("delayed", List.of(Field.DUE_AT, Field.KEY_HASH), DELAYED),
            // A single field, since only such an index can make documents expire.
            new EventIndex(DONE, List.of(Field.PROCESSED_AT), Filters.eq(Field.STATUS, Field.COMPLETED)),
            new EventIndex(DEAD, List.of(Field.CREATED_AT, Field.ID), Filters.eq(Field.STATUS, Field.FAILED)));

    /** What dispatchers and relays without slots read besides. */
    private static final EventIndex FOR_CLAIMS =
            new EventIndex(DUE, List.of(Field.DUE_AT, Field.SEQ), Expression.PENDING);

    public static final List<EventIndex> ALL =
            Stream.concat(Stream.of(FOR_CLAIMS), FOR_SLOTS.stream()).toList();

    /** What is read by relays that work so; null for any of them. */
    public static List<EventIndex> neededFor(@Nullable ClusterLayout terms) {
        return terms == null || terms.strategy().usesPartitions() ? FOR_SLOTS : ALL;
    }

    /** Makes only what is missing: one that has been told to make documents expire is not the one that it was made as. */
    public static void createMissing(MongoCollection<Document> events, List<EventIndex> indexes) {
        List<IndexModel> missing =
                missing(events, indexes).stream().map(EventIndex::model).toList();
        if (!missing.isEmpty()) {
            events.createIndexes(missing);
        }
    }

    /** Those that the server does not have as they should be; one that is being built is not listed yet. */
    public static List<EventIndex> missing(MongoCollection<Document> events, List<EventIndex> indexes) {
        List<Document> there = events.listIndexes().into(new ArrayList<>());
        return indexes.stream()
                .filter(index -> there.stream().noneMatch(index::isThis))
                .toList();
    }

    public Document keyDocument() {
        Document document = new Document();
        keys.forEach(key -> document.append(key, 1));
        return document;
    }

    IndexModel model() {
        return new IndexModel(keyDocument(), new IndexOptions().name(name).partialFilterExpression(holds));
    }

    /** Whether an index of the server's is this one: one that holds other documents would hide events, or refuse them. */
    private boolean isThis(Document description) {
        return name.equals(description.getString("name"))
                && keyDocument().equals(description.get("key"))
                && description.get("partialFilterExpression") instanceof Document partial
                && holds.toBsonDocument().equals(partial.toBsonDocument())
                && !description.getBoolean("unique", false);
    }
}
