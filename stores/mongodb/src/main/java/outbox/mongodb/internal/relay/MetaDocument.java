package outbox.mongodb.internal.relay;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.mongodb.CollectionNames;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.StoredLayout;

/** The document with the cluster's layout. A transaction that changes it, or what depends on it, writes it first. */
public record MetaDocument(ClientSession session, OutboxCollections collections) {

    public static final String VERSION = "schemaVersion";
    public static final String STRATEGY = "claimStrategy";
    public static final String PARTITIONS = "partitions";
    public static final String WANTED = "partitionsWanted";
    public static final String PAUSES_VERSION = "holdsVersion";
    private static final String WRITTEN = "written";

    public record Content(StoredLayout agreed, long pausesVersion) {

        public static Content of(Document document) {
            return new Content(
                    new StoredLayout(
                            document.getString(STRATEGY), document.getInteger(PARTITIONS), document.getInteger(WANTED)),
                    document.getLong(PAUSES_VERSION));
        }

        ClusterLayout layout(CollectionNames names) {
            return agreed.requireLayout("collection " + names.event());
        }
    }

    public static Bson id(CollectionNames names) {
        return Filters.eq("_id", names.event());
    }

    /** Reads the document and makes every other transaction that locks or changes it fail and start again. */
    Content lock() {
        return content(collections
                .meta()
                .findOneAndUpdate(
                        session,
                        id(collections.names()),
                        Updates.inc(WRITTEN, 1L),
                        new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER)));
    }

    /** Reads the document without conflicts. */
    Content read() {
        return content(collections.meta().find(session, id(collections.names())).first());
    }

    private Content content(@Nullable Document document) {
        if (document == null) {
            throw new OutboxException(
                    "collection " + collections.names().meta() + " has lost its document; install the schema again");
        }
        return Content.of(document);
    }

    void setStrategy(String strategy) {
        update(Updates.set(STRATEGY, strategy));
    }

    void setWanted(@Nullable Integer partitions) {
        update(partitions == null ? Updates.unset(WANTED) : Updates.set(WANTED, partitions));
    }

    void setPartitions(int partitions) {
        update(Updates.combine(Updates.set(PARTITIONS, partitions), Updates.unset(WANTED)));
    }

    public void raisePausesVersion() {
        update(Updates.inc(PAUSES_VERSION, 1L));
    }

    private void update(Bson change) {
        collections.meta().updateOne(session, id(collections.names()), change);
    }
}
