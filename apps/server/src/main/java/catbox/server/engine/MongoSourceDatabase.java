package catbox.server.engine;

import catbox.server.config.Login;
import catbox.server.config.MongoPlan;
import catbox.server.config.SourcePlan;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import outbox.OutboxException;
import outbox.admin.AdminStores;
import outbox.mongodb.MongoSchema;
import outbox.mongodb.MongoSource;
import outbox.mongodb.MongoStores;
import outbox.mongodb.MongoWakeUpChannel;
import outbox.spi.operations.Finding;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUpChannel;

/** A client of a MongoDB replica set, and the stores on it. */
final class MongoSourceDatabase implements SourceDatabase {

    private final SourcePlan plan;
    private final MongoPlan mongo;
    private final MongoSource source;
    private final MongoStores stores;

    private MongoSourceDatabase(SourcePlan plan, MongoPlan mongo, MongoClient client) {
        this.plan = plan;
        this.mongo = mongo;
        this.source = new MongoSource(client, mongo.databaseName(), mongo.names());
        this.stores = new MongoStores(source);
    }

    /** Creates a client and pings the server, because a client alone connects to nothing. */
    static MongoSourceDatabase open(SourcePlan plan, MongoPlan mongo) {
        MongoSourceDatabase database = new MongoSourceDatabase(plan, mongo, client(mongo));
        try {
            database.ping(mongo.login().connectTimeout());
            return database;
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    private static MongoClient client(MongoPlan mongo) {
        Login login = mongo.login();
        int timeoutMillis =
                (int) Math.min(Integer.MAX_VALUE, login.connectTimeout().toMillis());
        try {
            return MongoClients.create(MongoClientSettings.builder()
                    .applyConnectionString(new ConnectionString(mongo.connectionString()))
                    .applicationName("catbox-server")
                    .applyToClusterSettings(
                            cluster -> cluster.serverSelectionTimeout(timeoutMillis, TimeUnit.MILLISECONDS))
                    .applyToSocketSettings(socket -> socket.connectTimeout(timeoutMillis, TimeUnit.MILLISECONDS))
                    .applyToConnectionPoolSettings(pool -> pool.maxSize(login.poolSize()))
                    .build());
        } catch (MongoException e) {
            throw new OutboxException(MongoProblem.describe(mongo, e), e); // Of DNS, with mongodb+srv.
        } catch (IllegalArgumentException e) {
            // Without the driver's message, which may quote half a password.
            throw new OutboxException("the url of " + mongo.place() + " is no connection string of MongoDB");
        }
    }

    @Override
    public void prepareTables() {
        MongoSchema schema = new MongoSchema(source);
        MongoProblem.translated(mongo, () -> {
            if (plan.table().schema() == SourcePlan.Schema.CHECK) {
                SchemaAdvice.with(schema::check);
            } else if (schema.install()) {
                // No relay has used the new collections yet, so their number of partitions can be set.
                int partitions = plan.relay().config().terms().partitions();
                stores.clusterAdmin().changePartitions(partitions, "catbox-server");
            }
        });
    }

    @Override
    public void check() {
        MongoProblem.translated(
                mongo,
                () -> SchemaAdvice.with(
                        () -> stores.requireLayout(plan.relay().config().terms())));
    }

    @Override
    public RelayStores stores() {
        return stores.relay(plan.relay().config().cluster().timeout());
    }

    @Override
    public WakeUpChannel wakeUpChannel() {
        return new MongoWakeUpChannel(source);
    }

    @Override
    public AdminStores adminStores() {
        return new AdminStores(
                stores.operations(),
                stores.clusterAdmin(),
                stores.statistics(),
                stores.retention(),
                stores.diagnosis());
    }

    /** The driver does not show its pool. */
    @Override
    public List<Finding> findings() {
        return List.of();
    }

    @Override
    public void probe(int seconds) {
        ping(Duration.ofSeconds(seconds));
    }

    private void ping(Duration atMost) {
        MongoProblem.translated(
                mongo,
                () -> source.client()
                        .getDatabase(mongo.databaseName())
                        .withTimeout(atMost.toMillis(), TimeUnit.MILLISECONDS)
                        .runCommand(new Document("ping", 1), ReadPreference.primary()));
    }

    @Override
    public void close() {
        source.client().close();
    }
}
