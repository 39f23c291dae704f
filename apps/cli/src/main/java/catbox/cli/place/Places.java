package catbox.cli.place;

import catbox.cli.place.PlaceException.Kind;
import java.util.List;
import java.util.stream.Collectors;
import outbox.admin.AdminStores;
import outbox.admin.OutboxAdmin;
import outbox.admin.StoreAdmin;
import outbox.jdbc.JdbcClusterAdmin;
import outbox.jdbc.JdbcOperatorStore;
import outbox.jdbc.JdbcRetentionStore;
import outbox.jdbc.JdbcStatisticsStore;
import outbox.jdbc.TableNames;

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
            case Place.Mongo mongo ->
                throw new PlaceException(
                        Kind.NOT_POSSIBLE,
                        "of a MongoDB database only \"schema\" works directly: ask a server, with --url",
                        null);
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
                List::of);
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
