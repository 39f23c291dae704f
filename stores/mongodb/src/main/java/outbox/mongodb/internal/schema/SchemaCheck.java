package outbox.mongodb.internal.schema;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.OutboxException;
import outbox.SchemaException;
import outbox.mongodb.MongoSchema;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.driver.MongoFailure;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.CorruptEvents;
import outbox.mongodb.internal.relay.MetaDocument;
import outbox.spi.relay.StoredLayout;

/**
 * Checks before the first claim that the schema is complete, of the right version, and meant for this kind of instance.
 */
public record SchemaCheck(MongoSource source) {

    private static final String HOW_TO_INSTALL = "Call new MongoSchema(source).install(), once or at every start.";

    public void open() {
        require(EventIndex.ALL);
        new CorruptEvents(source).setUnreachableDead();
        String agreed = source.use("record the strategy", collections -> {
            Bson without = Filters.and(MetaDocument.id(source.names()), Filters.eq(MetaDocument.STRATEGY, null));
            collections.meta().updateOne(without, Updates.set(MetaDocument.STRATEGY, StoredLayout.DISPATCHER));
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
                        + ", and this library needs " + MongoSchema.VERSION + ". " + HOW_TO_INSTALL);
            }
            if (version > MongoSchema.VERSION) {
                throw new SchemaException("collection " + source.names().event() + " is of version " + version
                        + ", newer than the " + MongoSchema.VERSION + " that this library knows. Use a newer library.");
            }
            requireIndexes(collections, needed);
            requireValidator(collections);
            return version;
        });
    }

    private void requireValidator(OutboxCollections collections) {
        if (!EventValidator.isOn(collections)) {
            throw new SchemaException("collection " + source.names().event()
                    + " lacks its validator, or has another one. " + HOW_TO_INSTALL);
        }
    }

    private void requireIndexes(OutboxCollections collections, List<EventIndex> needed) {
        List<String> missing = EventIndex.missing(collections.events(), needed).stream()
                .map(EventIndex::name)
                .toList();
        if (!missing.isEmpty()) {
            throw new SchemaException(
                    "collection " + source.names().event() + " lacks the indexes " + missing + ". " + HOW_TO_INSTALL);
        }
    }

    /** Throws an exception that explains why the outbox needs transactions if the server has none. */
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
                    + " has no document about " + source.names().event() + ". " + HOW_TO_INSTALL);
        }
        return meta;
    }
}
