package catbox.cli.connection;

import catbox.cli.output.Json;
import java.util.List;
import java.util.stream.Collectors;
import outbox.admin.AdminStores;
import outbox.admin.OutboxAdmin;
import outbox.admin.StoreAdmin;
import outbox.jdbc.JdbcStores;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.TableNames;
import outbox.mongodb.MongoSchema;
import outbox.mongodb.MongoSource;
import outbox.mongodb.MongoStores;

/**
 * Opens real servers and databases.
 *
 * @param who the name in the audit log for changes directly in a database; a server takes it from the token
 */
public record Targets(String who) implements TargetOpener {

    @Override
    public OutboxAdmin admin(Target place) {
        LogSilencer.begin();
        return switch (place) {
            case Target.Server server -> remote(server);
            case Target.Jdbc jdbc -> new StoreAdmin(stores(new JdbcConnections(jdbc), jdbc.tables()), null, who);
            case Target.Mongo mongo -> new StoreAdmin(stores(new MongoConnection(mongo).source()), null, who);
        };
    }

    private static AdminStores stores(JdbcConnections connections, TableNames tables) {
        return new AdminStores(
                new JdbcStores(connections, tables).operations(),
                new JdbcStores(connections, tables).clusterAdmin(),
                new JdbcStores(connections, tables).statistics(),
                new JdbcStores(connections, tables).retention(),
                new JdbcStores(connections, tables).diagnosis());
    }

    private static AdminStores stores(MongoSource source) {
        return new AdminStores(
                new MongoStores(source).operations(),
                new MongoStores(source).clusterAdmin(),
                new MongoStores(source).statistics(),
                new MongoStores(source).retention(),
                new MongoStores(source).diagnosis());
    }

    private static OutboxAdmin remote(Target.Server server) {
        Api api = new Api(server);
        return new HttpOperations(api, server.source().orElseGet(() -> onlySource(sources(api))));
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
    public List<SourceState> sources(Target.Server server) {
        return sources(new Api(server));
    }

    private static List<SourceState> sources(Api api) {
        return List.of((SourceState[]) api.get("/api/sources", Json.MAPPER.constructType(SourceState[].class)));
    }

    @Override
    public Schema schema(Target database) {
        LogSilencer.begin();
        return switch (database) {
            case Target.Jdbc jdbc ->
                new JdbcSchema(
                        new SchemaInstaller(new JdbcConnections(jdbc), jdbc.tables()),
                        jdbc.tables().event());
            case Target.Mongo mongo ->
                new MongoSchemaTool(new MongoSchema(new MongoConnection(mongo).source()), mongo.collection());
            case Target.Server server ->
                throw new IllegalArgumentException(server.url() + " is a server, and no database");
        };
    }
}
