package catbox.cli.place;

import java.util.List;
import java.util.stream.Collectors;
import outbox.admin.AdminStores;
import outbox.admin.OutboxAdmin;
import outbox.admin.StoreAdmin;
import outbox.jdbc.JdbcClusterAdmin;
import outbox.jdbc.JdbcDiagnosisStore;
import outbox.jdbc.JdbcOperatorStore;
import outbox.jdbc.JdbcRetentionStore;
import outbox.jdbc.JdbcStatisticsStore;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.TableNames;
import outbox.mongodb.MongoClusterAdmin;
import outbox.mongodb.MongoDiagnosisStore;
import outbox.mongodb.MongoOperatorStore;
import outbox.mongodb.MongoRetentionStore;
import outbox.mongodb.MongoSchema;
import outbox.mongodb.MongoSource;
import outbox.mongodb.MongoStatisticsStore;

/**
 * Opens real servers and databases.
 *
 * @param who the name in the audit log for changes directly in a database; a server takes it from the token
 */
public record Places(String who) implements Opening {

    @Override
    public OutboxAdmin admin(Place place) {
        Quiet.begin();
        return switch (place) {
            case Place.Server server -> remote(server);
            case Place.Jdbc jdbc -> new StoreAdmin(stores(new JdbcConnections(jdbc), jdbc.tables()), null, who);
            case Place.Mongo mongo -> new StoreAdmin(stores(new MongoConnection(mongo).source()), null, who);
        };
    }

    private static AdminStores stores(JdbcConnections connections, TableNames tables) {
        return new AdminStores(
                new JdbcOperatorStore(connections, tables),
                new JdbcClusterAdmin(connections, tables),
                new JdbcStatisticsStore(connections, tables),
                new JdbcRetentionStore(connections, tables),
                new JdbcDiagnosisStore(connections, tables));
    }

    private static AdminStores stores(MongoSource source) {
        return new AdminStores(
                new MongoOperatorStore(source),
                new MongoClusterAdmin(source),
                new MongoStatisticsStore(source),
                new MongoRetentionStore(source),
                new MongoDiagnosisStore(source));
    }

    private static OutboxAdmin remote(Place.Server server) {
        Api api = new Api(server);
        return new RemoteAdmin(api, server.source().orElseGet(() -> onlySource(sources(api))));
    }

    private static String onlySource(List<SourceState> sources) {
        if (sources.size() == 1) {
            return sources.getFirst().name();
        }
        throw new IllegalArgumentException(
                sources.isEmpty()
                        ? "the server has no source"
                        : "the server has several sources: choose one with --source or CATBOX_SOURCE. There are "
                                + sources.stream()
                                        .map(source -> source.name() + " (" + source.state() + ")")
                                        .collect(Collectors.joining(", ")));
    }

    @Override
    public List<SourceState> sources(Place.Server server) {
        return sources(new Api(server));
    }

    private static List<SourceState> sources(Api api) {
        return api.list("/api/sources", SourceState.class);
    }

    @Override
    public Schema schema(Place database) {
        Quiet.begin();
        return switch (database) {
            case Place.Jdbc jdbc ->
                new JdbcSchema(
                        new SchemaInstaller(new JdbcConnections(jdbc), jdbc.tables()),
                        jdbc.tables().event());
            case Place.Mongo mongo ->
                new MongoPlaceSchema(new MongoSchema(new MongoConnection(mongo).source()), mongo.collection());
            case Place.Server server ->
                throw new IllegalArgumentException(server.url() + " is a server, and no database");
        };
    }
}
