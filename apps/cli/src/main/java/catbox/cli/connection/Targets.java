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
import outbox.mongodb.MongoStores;

/**
 * Opens real servers and databases.
 *
 * @param who the name in the audit log for changes directly in a database; a server takes it from the token
 */
public record Targets(String who) implements TargetOpener {

    @Override
    public OutboxAdmin admin(Target target) {
        LogSilencer.begin();
        return switch (target) {
            case Target.Server server -> remote(server);
            case Target.Database database ->
                new StoreAdmin(database.isMongo() ? mongo(database) : jdbc(database), null, who);
        };
    }

    private static AdminStores jdbc(Target.Database database) {
        JdbcStores stores = new JdbcStores(new JdbcConnections(database), new TableNames(database.table()));
        return new AdminStores(
                stores.operations(),
                stores.clusterAdmin(),
                stores.statistics(),
                stores.retention(),
                stores.diagnosis());
    }

    private static AdminStores mongo(Target.Database database) {
        MongoStores stores = new MongoStores(new MongoConnection(database).source());
        return new AdminStores(
                stores.operations(),
                stores.clusterAdmin(),
                stores.statistics(),
                stores.retention(),
                stores.diagnosis());
    }

    private static OutboxAdmin remote(Target.Server server) {
        Api api = new Api(server);
        return new HttpOperations(api, server.source().orElseGet(() -> onlySource(sources(api))));
    }

    private static String onlySource(List<SourceState> sources) {
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("the server has no source");
        }
        if (sources.size() > 1) {
            throw new IllegalArgumentException(
                    "the server has several sources: choose one with --source or CATBOX_SOURCE. There are "
                            + sources.stream()
                                    .map(source -> source.name() + " (" + source.state() + ")")
                                    .collect(Collectors.joining(", ")));
        }
        return sources.getFirst().name();
    }

    @Override
    public List<SourceState> sources(Target.Server server) {
        return sources(new Api(server));
    }

    private static List<SourceState> sources(Api api) {
        return List.of((SourceState[]) api.get("/api/sources", Json.MAPPER.constructType(SourceState[].class)));
    }

    @Override
    public Schema schema(Target.Database database) {
        LogSilencer.begin();
        String table = database.table();
        return database.isMongo()
                ? Schema.of(new MongoSchema(new MongoConnection(database).source()), table)
                : Schema.of(new SchemaInstaller(new JdbcConnections(database), new TableNames(table)), table);
    }
}
