package outbox.mongodb.internal.schema;

import com.mongodb.client.model.Filters;
import java.util.List;
import org.bson.conversions.Bson;
import outbox.mongodb.internal.event.Field;

/**
 * An index in which the events of one key, or of one type, stand in the order of their ids; or the one that has all ids.
 *
 * @param equal what all events of a walk through it have in common
 */
public record SearchIndex(String index, List<Bson> equal) {

    public static final SearchIndex ALL_IDS = new SearchIndex("_id_", List.of());

    public static SearchIndex ofKey(String key) {
        return new SearchIndex(EventIndex.SEARCH_KEY.name(), List.of(Filters.eq(Field.MESSAGE_GROUP, key)));
    }

    public static SearchIndex ofType(String type) {
        return new SearchIndex(EventIndex.SEARCH_TYPE.name(), List.of(Filters.eq(Field.TYPE, type)));
    }
}
