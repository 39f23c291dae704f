package outbox.mongodb.internal.schema;

import java.util.List;
import outbox.mongodb.MongoSource;
import outbox.spi.operations.OperatorStore.SearchIndexes;

/**
 * The indexes that an operator may choose to have: searches by key and by type over settled events. They are no part of
 * the schema's version, are made and dropped while the collection is in use, and no relay reads them.
 */
public final class SearchIndexInstaller {

    private static final List<EventIndex> BOTH = List.of(EventIndex.SEARCH_KEY, EventIndex.SEARCH_TYPE);

    private final MongoSource source;

    public SearchIndexInstaller(MongoSource source) {
        this.source = source;
    }

    /** Makes those that are missing. On a large collection this takes minutes, in which writers go on. */
    public void create() {
        source.usePatiently("make the indexes of searches", collections -> {
            EventIndex.createMissing(collections.events(), BOTH);
            return collections;
        });
    }

    /** Drops those that are there. */
    public void drop() {
        source.use("drop the indexes of searches", collections -> {
            List<EventIndex> missing = EventIndex.missing(collections.events(), BOTH);
            BOTH.stream()
                    .filter(index -> !missing.contains(index))
                    .forEach(index -> collections.events().dropIndex(index.name()));
            return collections;
        });
    }

    /** Which there are, and are whole. */
    public SearchIndexes present() {
        List<EventIndex> missing =
                source.use("read the indexes", collections -> EventIndex.missing(collections.events(), BOTH));
        return new SearchIndexes(!missing.contains(EventIndex.SEARCH_KEY), !missing.contains(EventIndex.SEARCH_TYPE));
    }
}
