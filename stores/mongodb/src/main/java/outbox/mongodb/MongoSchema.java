package outbox.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
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
import outbox.mongodb.internal.schema.SearchIndexInstaller;
import outbox.spi.operations.OperatorStore.SearchIndexes;
import outbox.spi.relay.StoredLayout;

/** Sets up the collections, their indexes and the first documents, when it is asked to and never by itself. */
public final class MongoSchema {

    /** As the shell reads it, which takes other forms of some values for plain documents. */
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
     * Makes what is missing, and leaves what is there. An index that is there under another shape is refused.
     *
     * @return whether this call is the one that set it up: until then the collection was nobody's
     */
    public boolean install() {
        return install(EventIndex.ALL);
    }

    /**
     * The same without the indexes that only dispatchers, and relays that claim by lease, read: events are stored and
     * settled a quarter cheaper. Dispatchers and leases are then refused, until {@link #install()} makes those too.
     */
    public boolean installForSlots() {
        return install(EventIndex.FOR_SLOTS);
    }

    private boolean install(List<EventIndex> indexes) {
        new SchemaCheck(source).requireReplicaSet();
        return source.usePatiently("install the schema", collections -> {
            if (isNewer(collections)) {
                return false; // An older library may be started while others are brought up to date.
            }
            createCollections(collections);
            EventIndex.createMissing(collections.events(), indexes);
            if (!AuditDocuments.hasIndex(collections)) {
                collections.audit().createIndexes(List.of(AuditDocuments.index()));
            }
            if (isOlder(collections)) {
                AuditDocuments.giveMissingPlaces(collections);
                SettleWrites.giveTimesToAcknowledgements(collections);
                forgetOrderedDispatchers(collections);
            }
            if (!EventValidator.isOn(collections)) {
                putRuleOn(collections);
            }
            new CorruptEvents(source).setDeadOutsideOfAllSlots();
            for (int slot = 0; slot < PARTITIONS; slot++) {
                Document fresh = OwnershipDocuments.fresh(slot, 0);
                fresh.remove(OwnershipDocuments.ID);
                collections
                        .slots()
                        .updateOne(
                                Filters.eq(OwnershipDocuments.ID, slot), new Document("$setOnInsert", fresh), UPSERT);
            }
            Document meta = new Document(MetaDocument.PARTITIONS, PARTITIONS).append(MetaDocument.HOLDS_VERSION, 0L);
            return collections
                            .meta()
                            .updateOne(
                                    MetaDocument.id(source.names()),
                                    new Document("$setOnInsert", meta)
                                            .append("$max", new Document(MetaDocument.VERSION, VERSION)),
                                    UPSERT)
                            .getUpsertedId()
                    != null;
        });
    }

    // Until version 3, dispatchers could keep the order of keys. They held lanes, which the index had.
    private void forgetOrderedDispatchers(OutboxCollections collections) {
        Bson lanesHeld = Filters.exists("heldLane");
        for (Document index : collections.events().listIndexes()) {
            if ("held".equals(index.getString("name"))) {
                collections.events().updateMany(lanesHeld, Updates.unset("heldLane"));
                collections.events().dropIndex("held");
                break;
            }
        }
        collections
                .meta()
                .updateOne(
                        Filters.and(
                                MetaDocument.id(source.names()),
                                Filters.eq(MetaDocument.STRATEGY, "dispatcher-ordered")),
                        Updates.unset(MetaDocument.STRATEGY));
    }

    private boolean isNewer(OutboxCollections collections) {
        Document meta = collections.meta().find(MetaDocument.id(source.names())).first();
        return meta != null && meta.getInteger(MetaDocument.VERSION, 0) > VERSION;
    }

    private boolean isOlder(OutboxCollections collections) {
        Document meta = collections.meta().find(MetaDocument.id(source.names())).first();
        return meta != null && meta.getInteger(MetaDocument.VERSION, 0) < VERSION;
    }

    // Whoever is interrupted half way finds the rule not on, and begins again; new documents are refused from the
    // first.
    private void putRuleOn(OutboxCollections collections) {
        String events = source.names().event();
        collections.database().runCommand(EventValidator.firstCommand(events));
        new CorruptEvents(source).setDeadAgainstTheRule();
        collections.database().runCommand(EventValidator.command(events));
    }

    /**
     * Looks whether everything is there and of the right version, and changes nothing.
     *
     * @throws outbox.SchemaException that says what is wrong
     */
    public void check() {
        new SchemaCheck(source).require(EventIndex.FOR_SLOTS);
    }

    // A transaction could make them as it first writes to them, and would then meet every other that does.
    private void createCollections(OutboxCollections collections) {
        Set<String> there = collections.database().listCollectionNames().into(new HashSet<>());
        source.names().all().stream()
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

    /** Which of the indexes for searches exist. An operator may choose to have them. */
    public SearchIndexes searchIndexes() {
        return new SearchIndexInstaller(source).present();
    }

    /** Creates the indexes for searches that are missing. */
    public void createSearchIndexes() {
        new SearchIndexInstaller(source).create();
    }

    /** Drops the indexes for searches. */
    public void dropSearchIndexes() {
        new SearchIndexInstaller(source).drop();
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

    /**
     * What {@link #install()} needs rights for that an application may not have, for the mongo shell: the collection of
     * events, its rule, and all indexes.
     */
    public List<String> print() {
        String rule = "db.runCommand("
                + EventValidator.command(source.names().event()).toJson(SHELL) + ")";
        return Stream.concat(Stream.of("db.createCollection(\"" + source.names().event() + "\")", rule), indexes())
                .toList();
    }

    private Stream<String> indexes() {
        String audit = "db.getCollection(\"" + source.names().audit() + "\").createIndex({ seq: 1 }, { name: \""
                + AuditDocuments.BY_PLACE + "\" })";
        Stream<String> events = EventIndex.ALL.stream()
                .map(index -> "db.getCollection(\"" + source.names().event() + "\").createIndex("
                        + index.keyDocument().toJson(SHELL) + ", { name: \"" + index.name()
                        + "\", partialFilterExpression: "
                        + index.holds().toBsonDocument().toJson(SHELL) + " })");
        return Stream.concat(events, Stream.of(audit));
    }

    /** Gives the events to dispatchers. All relays have to be stopped. */
    public void changeToDispatchers() {
        source.use(
                "give the events to dispatchers",
                collections -> collections
                        .meta()
                        .updateOne(
                                MetaDocument.id(source.names()),
                                new Document("$set", new Document(MetaDocument.STRATEGY, StoredLayout.DISPATCHER))));
    }
}
