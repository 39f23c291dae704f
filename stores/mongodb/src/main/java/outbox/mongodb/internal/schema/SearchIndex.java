package outbox.mongodb.internal.schema;

import com.mongodb.client.model.Filters;
import java.util.List;
import org.bson.conversions.Bson;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.event.Field;
import outbox.spi.operations.OperatorStore.SearchIndexes;

/**
 * An index with the events of one key or of one type in the order of their ids, or the one with all ids. An operator
 * may choose to have the first two. They do not belong to the schema's version, can be created and dropped while the
 * collection is in use, and no relay reads them.
 *
 * @param equal the condition that all events of a scan meet
 */
public record SearchIndex(String index, List<Bson> equal) {

    public static final SearchIndex ALL_IDS = new SearchIndex("_id_", List.of());

    private static final List<EventIndex> OPTIONAL = List.of(EventIndex.SEARCH_KEY, EventIndex.SEARCH_TYPE);

    /** Creates the missing ones. On a large collection this takes minutes, in which writers continue. */
    public static void create(MongoSource source) {
        source.useUnlimited("create the search indexes", collections -> {
            EventIndex.createMissing(collections.events(), OPTIONAL);
            return collections;
        });
    }

    public static void drop(MongoSource source) {
        source.use("drop the search indexes", collections -> {
            List<EventIndex> missing = EventIndex.missing(collections.events(), OPTIONAL);
            OPTIONAL.stream()
                    .filter(index -> !missing.contains(index))
                    .forEach(index -> collections.events().dropIndex(index.name()));
            return collections;
        });
    }

    /** Which of them exist and are complete. */
    public static SearchIndexes present(MongoSource source) {
        List<EventIndex> missing =
                source.use("read the indexes", collections -> EventIndex.missing(collections.events(), OPTIONAL));
        return new SearchIndexes(!missing.contains(EventIndex.SEARCH_KEY), !missing.contains(EventIndex.SEARCH_TYPE));
    }

    public static SearchIndex ofKey(String key) {
        return new SearchIndex(EventIndex.SEARCH_KEY.name(), List.of(Filters.eq(Field.MESSAGE_GROUP, key)));
    }

    public static SearchIndex ofType(String type) {
        return new SearchIndex(EventIndex.SEARCH_TYPE.name(), List.of(Filters.eq(Field.TYPE, type)));
    }
}
