package outbox.spring.boot;

import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import outbox.OutboxException;
import outbox.SchemaException;
import outbox.mongodb.CollectionNames;
import outbox.mongodb.MongoSchema;
import outbox.mongodb.MongoSource;
import outbox.mongodb.MongoStores;
import outbox.mongodb.MongoWakeUpChannel;
import outbox.spi.ClaimStore;
import outbox.spi.RetentionStore;
import outbox.spi.SettleStore;
import outbox.spi.relay.WakeUpChannel;
import outbox.spring.boot.OutboxProperties.SchemaMode;

/**
 * Stores events in collections of a MongoDB replica set.
 *
 * @param factory the one whose transactions the application's transaction manager begins
 */
record MongoStore(MongoDatabaseFactory factory, MongoSource source) implements OutboxStore {

    private static final long REPLY_SECONDS_MAX = 5;

    static MongoStore of(ListableBeanFactory beans, OutboxProperties properties) {
        if (properties.dataSource() != null) {
            throw new InvalidOutboxPropertiesException(
                    "outbox.data-source: is set, but the outbox is in MongoDB; remove"
                            + " it, or set outbox.store to jdbc");
        }
        MongoDatabaseFactory factory =
                only(beans, MongoTransactionManager.class).getResourceFactory();
        String database =
                properties.mongoDatabase() == null ? factory.getMongoDatabase().getName() : properties.mongoDatabase();
        CollectionNames names = ConfiguredRoutes.read("outbox.table", () -> new CollectionNames(properties.table()));
        return new MongoStore(factory, new MongoSource(only(beans, MongoClient.class), database, names));
    }

    private static <T> T only(ListableBeanFactory beans, Class<T> type) {
        T only = beans.getBeanProvider(type).getIfUnique();
        if (only == null) {
            throw new InvalidOutboxPropertiesException("outbox.store: is mongodb, which needs one "
                    + type.getSimpleName() + " bean, or one that is primary; there are "
                    + new TreeSet<>(Arrays.asList(beans.getBeanNamesForType(type))));
        }
        return only;
    }

    /**
     * Checks or installs collections and indexes, before anything is published.
     *
     * @throws SchemaException that describes the difference
     */
    MongoStore prepared(SchemaMode mode) {
        MongoSchema schema = new MongoSchema(source);
        if (mode == SchemaMode.INSTALL) {
            schema.install();
        }
        if (mode != SchemaMode.NONE) {
            // The check follows an installation too: nothing is installed into a schema that is newer than this
            // library.
            schema.check();
        }
        return this;
    }

    @Override
    public String description() {
        return "collection " + source.names().event() + " of database " + source.databaseName();
    }

    @Override
    public ClaimStore claims() {
        return new MongoStores(source).claims();
    }

    @Override
    public SettleStore settlements() {
        return new MongoStores(source).settlements();
    }

    @Override
    public RetentionStore retentionStore() {
        return new MongoStores(source).retention();
    }

    @Override
    public OwnedRelayStores relayStores(int workers, Duration nodeTimeout) {
        return new OwnedRelayStores(new MongoStores(source).relay(nodeTimeout), () -> {});
    }

    @Override
    public WakeUpMethod wakeUpMethod() {
        return WakeUpMethod.STREAM;
    }

    @Override
    public Optional<WakeUpChannel> wakeUpChannel() {
        return Optional.of(new MongoWakeUpChannel(source));
    }

    @Override
    public void requireReachable() {
        MongoDatabase database = source.client()
                .getDatabase(source.databaseName())
                .withReadPreference(ReadPreference.primary())
                .withTimeout(REPLY_SECONDS_MAX, TimeUnit.SECONDS);
        try {
            String event = source.names().event();
            if (database.listCollectionNames().filter(Filters.eq("name", event)).first() == null) {
                throw new OutboxException(description() + " does not exist");
            }
        } catch (MongoException e) {
            throw new OutboxException(description() + " cannot be reached: " + e.getMessage(), e);
        }
    }
}
