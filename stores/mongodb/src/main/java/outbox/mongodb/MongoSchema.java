package outbox.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.CorruptEvents;
import outbox.mongodb.internal.event.SettleWrites;
import outbox.mongodb.internal.operations.AuditDocuments;
import outbox.mongodb.internal.relay.MetaDocument;
import outbox.mongodb.internal.relay.OwnershipDocuments;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.mongodb.internal.schema.EventValidator;
import outbox.mongodb.internal.schema.SchemaCheck;
import outbox.mongodb.internal.schema.SearchIndex;
import outbox.spi.operations.OperatorStore.SearchIndexes;
import outbox.spi.relay.StoredLayout;

/** Sets up the collections, their indexes and the first documents; only when called. */
public final class MongoSchema {

    /** The form that the mongo shell reads. It would read other forms of some values as plain documents. */
    private static final JsonWriterSettings SHELL =
            JsonWriterSettings.builder().outputMode(JsonMode.SHELL).build();

    /** The version of the documents and indexes that this library works with. */
    public static final int VERSION = 3;

    private static final int PARTITIONS = 6;
    private static final int NAMESPACE_EXISTS = 48;
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    private final MongoSource source;

    public MongoSchema(MongoSource source) {
        this.source = source;
    }

    /**
     * Creates what is missing, and leaves what exists. An existing index with another definition is an error.
     *
     * @return whether this call set up the schema
     */
    public boolean install() {
        return install(EventIndex.ALL);
    }

    /**
     * Installs the schema without the index of dispatchers and of relays that claim by lease, which makes storing and
     * settling events a quarter cheaper. Those are then refused until {@link #install()} creates the index.
     */
    public boolean installForPartitions() {
        return install(EventIndex.FOR_PARTITIONS);
    }

    private boolean install(List<EventIndex> indexes) {
        new SchemaCheck(source).requireReplicaSet();
        return source.useUnlimited("install the schema", collections -> {
            Optional<Integer> version = version(collections);
            if (version.isPresent() && version.get() > VERSION) {
                return false; // An older library may start while others are being updated.
            }
            createCollections(collections);
            EventIndex.createMissing(collections.events(), indexes);
            if (!AuditDocuments.hasIndex(collections)) {
                collections.audit().createIndexes(List.of(AuditDocuments.index()));
            }
            if (version.isPresent() && version.get() < VERSION) {
                AuditDocuments.addMissingSeqs(collections);
                SettleWrites.addTimesToAcknowledgements(collections);
                removeOrderedDispatchers(collections);
            }
            if (!EventValidator.isOn(collections)) {
                putValidator(collections);
            }
            new CorruptEvents(source).setUnreachableDead();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                Document fresh = OwnershipDocuments.fresh(partition, 0);
                fresh.remove(OwnershipDocuments.ID);
                Bson number = Filters.eq(OwnershipDocuments.ID, partition);
                collections.slots().updateOne(number, Updates.setOnInsert(fresh), UPSERT);
            }
            Bson meta = Updates.combine(
                    Updates.setOnInsert(MetaDocument.PARTITIONS, PARTITIONS),
                    Updates.setOnInsert(MetaDocument.PAUSES_VERSION, 0L),
                    Updates.max(MetaDocument.VERSION, VERSION));
            return collections
                            .meta()
                            .updateOne(MetaDocument.id(source.names()), meta, UPSERT)
                            .getUpsertedId()
                    != null;
        });
    }

    // Until version 3, dispatchers could keep the order of keys. They held lanes, by a field with an index.
    private void removeOrderedDispatchers(OutboxCollections collections) {
        if (EventIndex.names(collections.events()).contains("held")) {
            collections.events().updateMany(Filters.exists("heldLane"), Updates.unset("heldLane"));
            collections.events().dropIndex("held");
        }
        Bson ordered = Filters.eq(MetaDocument.STRATEGY, "dispatcher-ordered");
        collections
                .meta()
                .updateOne(Filters.and(MetaDocument.id(source.names()), ordered), Updates.unset(MetaDocument.STRATEGY));
    }

    /** The installed version; empty when there is none. */
    private Optional<Integer> version(OutboxCollections collections) {
        return Optional.ofNullable(
                        collections.meta().find(MetaDocument.id(source.names())).first())
                .map(meta -> meta.getInteger(MetaDocument.VERSION, 0));
    }

    // Invalid new documents are refused from the first command on. After an interruption isOn is false, and the next
    // install begins again.
    private void putValidator(OutboxCollections collections) {
        String events = source.names().event();
        collections.database().runCommand(EventValidator.firstCommand(events));
        new CorruptEvents(source).setInvalidDead();
        collections.database().runCommand(EventValidator.command(events));
    }

    /**
     * Checks that the schema is complete and of the right version, and changes nothing.
     *
     * @throws outbox.SchemaException naming what is wrong
     */
    public void check() {
        new SchemaCheck(source).require(EventIndex.FOR_PARTITIONS);
    }

    // The first transaction that writes to a collection would create it, and conflict with every other that does.
    private void createCollections(OutboxCollections collections) {
        Set<String> present = collections.database().listCollectionNames().into(new HashSet<>());
        source.names().all().stream()
                .filter(name -> !present.contains(name))
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

    /** Which of the optional indexes for operators' searches exist. */
    public SearchIndexes searchIndexes() {
        return SearchIndex.present(source);
    }

    /** Creates the missing search indexes. */
    public void createSearchIndexes() {
        SearchIndex.create(source);
    }

    /** Drops the search indexes. */
    public void dropSearchIndexes() {
        SearchIndex.drop(source);
    }

    /**
     * Makes the server delete done events of this age, within about a minute. No retention is needed then.
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
                "set the expiry of done events",
                collections -> collections
                        .database()
                        .runCommand(new Document("collMod", source.names().event()).append("index", index)));
    }

    /**
     * Returns commands for the mongo shell that create the collection of events, its validator, and all indexes. Some
     * applications lack the rights that {@link #install()} needs for these.
     */
    public List<String> print() {
        String validator = "db.runCommand("
                + EventValidator.command(source.names().event()).toJson(SHELL) + ")";
        return Stream.concat(Stream.of("db.createCollection(\"" + source.names().event() + "\")", validator), indexes())
                .toList();
    }

    private Stream<String> indexes() {
        String audit = "db.getCollection(\"" + source.names().audit() + "\").createIndex({ seq: 1 }, { name: \""
                + AuditDocuments.BY_SEQ + "\" })";
        Stream<String> events = EventIndex.ALL.stream()
                .map(index -> "db.getCollection(\"" + source.names().event() + "\").createIndex("
                        + index.keyDocument().toJson(SHELL) + ", { name: \"" + index.name()
                        + "\", partialFilterExpression: "
                        + index.holds().toBsonDocument().toJson(SHELL) + " })");
        return Stream.concat(events, Stream.of(audit));
    }

    /** Changes the strategy to dispatchers. All relays must be stopped. */
    public void changeToDispatchers() {
        Bson dispatcher = Updates.set(MetaDocument.STRATEGY, StoredLayout.DISPATCHER);
        source.use(
                "change to dispatchers",
                collections -> collections.meta().updateOne(MetaDocument.id(source.names()), dispatcher));
    }
}
