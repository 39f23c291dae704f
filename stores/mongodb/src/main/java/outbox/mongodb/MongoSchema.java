package outbox.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.UpdateOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.Document;
import outbox.Ordering;

/** Sets up the collections, their indexes and the first documents, when it is asked to and never by itself. */
public final class MongoSchema {

    /** The version of the documents and indexes that this library works with. */
    public static final int VERSION = 1;

    private static final int PARTITIONS = 6;
    private static final int NAMESPACE_EXISTS = 48;
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    private final MongoSource source;

    public MongoSchema(MongoSource source) {
        this.source = source;
    }

    /** Makes what is missing, and leaves what is there. An index that is there under another shape is refused. */
    public void install() {
        new SchemaCheck(source).requireReplicaSet();
        source.usePatiently("install the schema", collections -> {
            createCollections(collections);
            createIndexes(collections);
            for (int slot = 0; slot < PARTITIONS; slot++) {
                Document fresh = SlotDocuments.fresh(slot, 0);
                fresh.remove(SlotDocuments.ID);
                collections
                        .slots()
                        .updateOne(Filters.eq(SlotDocuments.ID, slot), new Document("$setOnInsert", fresh), UPSERT);
            }
            Document meta = new Document(MetaDocument.PARTITIONS, PARTITIONS).append(MetaDocument.HOLDS_VERSION, 0L);
            return collections
                    .meta()
                    .updateOne(
                            MetaDocument.id(source.names()),
                            new Document("$setOnInsert", meta)
                                    // Never lowered: an older library may be started while others are brought up to
                                    // date.
                                    .append("$max", new Document(MetaDocument.VERSION, VERSION)),
                            UPSERT);
        });
    }

    // Only what is missing: one that has been told to make documents expire is not the one that it was made as.
    private static void createIndexes(OutboxCollections collections) {
        List<Document> there = collections.events().listIndexes().into(new ArrayList<>());
        List<IndexModel> missing = EventIndex.ALL.stream()
                .filter(index -> there.stream().noneMatch(index::isThis))
                .map(EventIndex::model)
                .toList();
        if (!missing.isEmpty()) {
            collections.events().createIndexes(missing);
        }
    }

    // A transaction could make them as it first writes to them, and would then meet every other that does.
    private void createCollections(OutboxCollections collections) {
        CollectionNames names = source.names();
        Set<String> there = collections.database().listCollectionNames().into(new HashSet<>());
        Stream.of(names.event(), names.meta(), names.node(), names.slot(), names.hold(), names.audit())
                .filter(name -> !there.contains(name))
                .forEach(name -> create(collections.database(), name));
    }

    private static void create(MongoDatabase database, String name) {
        try {
            database.createCollection(name);
        } catch (MongoCommandException e) {
            if (e.getErrorCode() != NAMESPACE_EXISTS) {
                throw e;
            }
        }
    }

    /**
     * Lets the server itself delete done events of this age, within about a minute; then no retention needs to run.
     *
     * @param age at least a second
     */
    public void expireDone(Duration age) {
        if (age.toSeconds() < 1 || age.toSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "the age at which done events expire must be from 1 second to 68 years, was " + age);
        }
        Document index = new Document("name", EventIndex.DONE).append("expireAfterSeconds", age.toSeconds());
        source.use(
                "make done events expire",
                collections -> collections
                        .database()
                        .runCommand(new Document("collMod", source.names().event()).append("index", index)));
    }

    /** What {@link #install()} does to indexes, for the mongo shell: where the application may not make them. */
    public List<String> print() {
        return EventIndex.ALL.stream()
                .map(index -> "db.getCollection(\"" + source.names().event() + "\").createIndex("
                        + index.keyDocument().toJson() + ", { name: \"" + index.name()
                        + "\", partialFilterExpression: "
                        + index.holds().toBsonDocument().toJson() + " })")
                .toList();
    }

    /** Says how dispatchers are to work the events. All instances have to be stopped. */
    public void changeOrdering(Ordering ordering) {
        source.use(
                "change the ordering",
                collections -> collections
                        .meta()
                        .updateOne(
                                MetaDocument.id(source.names()),
                                new Document(
                                        "$set", new Document(MetaDocument.STRATEGY, SchemaCheck.strategy(ordering)))));
    }
}
