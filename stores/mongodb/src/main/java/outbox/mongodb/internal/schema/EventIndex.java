package outbox.mongodb.internal.schema;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.Seq;
import outbox.spi.relay.ClusterLayout;

/**
 * The indexes on events. Each contains only the events that its readers need, so that its cost depends on the pending
 * events, and not on all that were ever stored.
 *
 * @param keys the fields, in their order
 * @param holds matches the documents with an entry
 */
public record EventIndex(String name, List<String> keys, Bson holds) {

    public static final String DUE = "due";
    public static final String LANE = "lane";
    public static final String SLOT = "slot";
    public static final String DONE = "done";
    public static final String DEAD = "dead";

    /** These two are optional, for operators' searches. They contain every event with a key, or with a type. */
    static final EventIndex SEARCH_KEY =
            new EventIndex("search_key", List.of(Field.MESSAGE_GROUP, Field.ID), Filters.exists(Field.MESSAGE_GROUP));

    static final EventIndex SEARCH_TYPE =
            new EventIndex("search_type", List.of(Field.TYPE, Field.ID), Filters.exists(Field.TYPE));

    private static final Bson DELAYED = Filters.and(Expression.PENDING, Filters.eq(Field.DELAYED, true));

    /** The indexes of relays that own partitions. */
    public static final List<EventIndex> FOR_PARTITIONS = List.of(
            new EventIndex(LANE, List.of(Field.BUCKET, Field.KEY_HASH, Field.SEQ), Expression.PENDING),
            // The hash comes last, so that the server can exclude lanes and separate partitions without reading a
            // document. The condition on seq keeps queries without one from getting this index instead of the other.
            new EventIndex(
                    SLOT,
                    List.of(Field.BUCKET, Field.SEQ, Field.KEY_HASH),
                    Filters.and(Expression.PENDING, Filters.gte(Field.SEQ, Seq.FIRST))),
            new EventIndex("delayed", List.of(Field.DUE_AT, Field.KEY_HASH), DELAYED),
            // A single field, because only such an index can expire documents.
            new EventIndex(DONE, List.of(Field.PROCESSED_AT), Filters.eq(Field.STATUS, Field.COMPLETED)),
            new EventIndex(DEAD, List.of(Field.CREATED_AT, Field.ID), Filters.eq(Field.STATUS, Field.FAILED)));

    /** The additional index of dispatchers and relays without partitions. */
    private static final EventIndex FOR_CLAIMS =
            new EventIndex(DUE, List.of(Field.DUE_AT, Field.SEQ), Expression.PENDING);

    public static final List<EventIndex> ALL =
            Stream.concat(Stream.of(FOR_CLAIMS), FOR_PARTITIONS.stream()).toList();

    /** The indexes that relays with this layout need; null: any layout with partitions. */
    public static List<EventIndex> neededFor(@Nullable ClusterLayout layout) {
        return layout == null || layout.strategy().usesPartitions() ? FOR_PARTITIONS : ALL;
    }

    /** Creates only missing indexes, because an index that expires documents differs from the one that was created. */
    public static void createMissing(MongoCollection<Document> events, List<EventIndex> indexes) {
        List<IndexModel> missing =
                missing(events, indexes).stream().map(EventIndex::model).toList();
        if (!missing.isEmpty()) {
            events.createIndexes(missing);
        }
    }

    /** The indexes that are missing or differ on the server. One that is being built is not listed yet. */
    public static List<EventIndex> missing(MongoCollection<Document> events, List<EventIndex> indexes) {
        List<Document> present = events.listIndexes().into(new ArrayList<>());
        return indexes.stream()
                .filter(index -> present.stream().noneMatch(index::matches))
                .toList();
    }

    public static Set<String> names(MongoCollection<Document> collection) {
        return collection.listIndexes().map(index -> index.getString("name")).into(new HashSet<>());
    }

    public Document keyDocument() {
        Document document = new Document();
        keys.forEach(key -> document.append(key, 1));
        return document;
    }

    IndexModel model() {
        return new IndexModel(keyDocument(), new IndexOptions().name(name).partialFilterExpression(holds));
    }

    /** Whether an index of the server is this one. One with other documents would hide events, or refuse them. */
    private boolean matches(Document description) {
        return name.equals(description.getString("name"))
                && keyDocument().equals(description.get("key"))
                && description.get("partialFilterExpression") instanceof Document partial
                && holds.toBsonDocument().equals(partial.toBsonDocument())
                && !description.getBoolean("unique", false);
    }
}
