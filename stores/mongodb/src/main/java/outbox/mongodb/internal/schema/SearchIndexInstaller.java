package outbox.mongodb.internal.schema;

import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
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
            List<Document> there = collections.events().listIndexes().into(new ArrayList<>());
            BOTH.stream()
                    .filter(index -> there.stream().anyMatch(index::isThis))
                    .forEach(index -> collections.events().dropIndex(index.name()));
            return collections;
        });
    }

    /** Which there are, and are whole: one that is being built is not listed yet. */
    public SearchIndexes present() {
        List<Document> there = source.use(
                "look which indexes there are",
                collections -> collections.events().listIndexes().into(new ArrayList<>()));
        return new SearchIndexes(
                there.stream().anyMatch(EventIndex.SEARCH_KEY::isThis),
                there.stream().anyMatch(EventIndex.SEARCH_TYPE::isThis));
    }
}
