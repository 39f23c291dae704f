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
import outbox.jdbc.TableNames;
import outbox.mongodb.MongoClusterAdmin;
import outbox.mongodb.MongoDiagnosisStore;
import outbox.mongodb.MongoOperatorStore;
import outbox.mongodb.MongoRetentionStore;
import outbox.mongodb.MongoSource;
import outbox.mongodb.MongoStatisticsStore;

/**
 * Opens what really is there.
 *
 * @param who acts on a database, as the audit is to say; a server knows by the token
 */
public record Places(String who) implements Opening {

    @Override
    public OutboxAdmin admin(Place place) {
        return switch (place) {
            case Place.Server server -> remote(server);
            case Place.Jdbc jdbc -> direct(jdbc);
            case Place.Mongo mongo -> direct(mongo);
        };
    }

    private OutboxAdmin direct(Place.Jdbc jdbc) {
        Quiet.begin();
        JdbcConnections connections = new JdbcConnections(jdbc);
        TableNames tables = jdbc.tables();
        AdminStores stores = new AdminStores(
                new JdbcOperatorStore(connections, tables),
                new JdbcClusterAdmin(connections, tables),
                new JdbcStatisticsStore(connections, tables),
                new JdbcRetentionStore(connections, tables),
                new JdbcDiagnosisStore(connections, tables));
        return new StoreAdmin(stores, null, who);
    }

    // The client stays open for as long as the command runs; its threads keep nothing from ending.
    private OutboxAdmin direct(Place.Mongo mongo) {
        Quiet.begin();
        MongoConnection connection = new MongoConnection(mongo);
        MongoSource source = connection.source(connection.client());
        AdminStores stores = new AdminStores(
                new MongoOperatorStore(source),
                new MongoClusterAdmin(source),
                new MongoStatisticsStore(source),
                new MongoRetentionStore(source),
                new MongoDiagnosisStore(source));
        return new StoreAdmin(stores, null, who);
    }

    private OutboxAdmin remote(Place.Server server) {
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
                        : "the server has several sources: name one with --source or CATBOX_SOURCE. There are "
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
            case Place.Jdbc jdbc -> new JdbcSchema(jdbc, new JdbcConnections(jdbc));
            case Place.Mongo mongo -> new MongoPlaceSchema(mongo);
            case Place.Server server ->
                throw new IllegalArgumentException(server.url() + " is a server, and no database");
        };
    }
}
