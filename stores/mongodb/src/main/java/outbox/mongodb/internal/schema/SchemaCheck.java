package outbox.mongodb.internal.schema;

import com.mongodb.client.model.Filters;
import java.util.List;
import org.bson.Document;
import outbox.OutboxException;
import outbox.SchemaException;
import outbox.mongodb.MongoSchema;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.driver.MongoFailure;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.CorruptEvents;
import outbox.mongodb.internal.relay.MetaDocument;
import outbox.spi.relay.StoredLayout;

/** Looks, before anything is claimed, whether all is there, of the right version, and worked as this instance works. */
public record SchemaCheck(MongoSource source) {

    public void open() {
        require(EventIndex.ALL);
        new CorruptEvents(source).setDeadOutsideOfAllSlots();
        String agreed = source.use("record how events are worked", collections -> {
            collections
                    .meta()
                    .updateOne(
                            Filters.and(MetaDocument.id(source.names()), Filters.eq(MetaDocument.STRATEGY, null)),
                            new Document("$set", new Document(MetaDocument.STRATEGY, StoredLayout.DISPATCHER)));
            return meta(collections).getString(MetaDocument.STRATEGY);
        });
        StoredLayout.requireDispatchers(
                "collection " + source.names().event(), agreed, "MongoSchema.changeToDispatchers()");
    }

    /** Changes nothing. */
    public void require(List<EventIndex> needed) {
        requireReplicaSet();
        source.use("check the schema", collections -> {
            int version = meta(collections).getInteger(MetaDocument.VERSION, 0);
            if (version < MongoSchema.VERSION) {
                throw new SchemaException("collection " + source.names().event() + " is of version " + version
                        + ", and this library needs " + MongoSchema.VERSION + ". " + howToInstall());
            }
            if (version > MongoSchema.VERSION) {
                throw new SchemaException("collection " + source.names().event() + " is of version " + version
                        + ", newer than the " + MongoSchema.VERSION + " that this library knows. Use a newer library.");
            }
            requireIndexes(collections, needed);
            requireRule(collections);
            return version;
        });
    }

    private void requireRule(OutboxCollections collections) {
        if (!EventValidator.isOn(collections)) {
            throw new SchemaException("collection " + source.names().event()
                    + " lacks its validator, or has another one. " + howToInstall());
        }
    }

    private void requireIndexes(OutboxCollections collections, List<EventIndex> needed) {
        List<String> missing = EventIndex.missing(collections.events(), needed).stream()
                .map(EventIndex::name)
                .toList();
        if (!missing.isEmpty()) {
            throw new SchemaException(
                    "collection " + source.names().event() + " lacks the indexes " + missing + ". " + howToInstall());
        }
    }

    /**
     * Requires a replica set.
     *
     * @throws OutboxException which says why the outbox needs transactions, where the server has none
     */
    public void requireReplicaSet() {
        Document hello = source.use(
                "reach the server", collections -> collections.database().runCommand(new Document("hello", 1)));
        if (MongoFailure.isStandalone(hello)) {
            throw new OutboxException(MongoFailure.STANDALONE);
        }
    }

    private Document meta(OutboxCollections collections) {
        Document meta = collections.meta().find(MetaDocument.id(source.names())).first();
        if (meta == null) {
            throw new SchemaException("collection " + source.names().meta() + " of database " + source.databaseName()
                    + " has no document about " + source.names().event() + ". " + howToInstall());
        }
        return meta;
    }

    private static String howToInstall() {
        return "Call new MongoSchema(source).install(), once or at every start.";
    }
}
