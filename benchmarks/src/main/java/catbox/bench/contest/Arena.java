package catbox.bench.contest;

import catbox.bench.contender.Place;
import catbox.devservices.DatabaseServer;
import catbox.devservices.KafkaBroker;
import catbox.devservices.KafkaServer;
import catbox.devservices.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/** PostgreSQL and Kafka for one contest: a database and a topic for each contender. */
final class Arena implements AutoCloseable {

    static final int PARTITIONS = 6;

    // The memory of a typical server of this size: with the defaults a million rows measure the disk.
    private static final Map<String, String> DATABASE_SETTINGS = Map.of(
            "shared_buffers", "2GB",
            "max_wal_size", "8GB",
            "shared_preload_libraries", "pg_stat_statements",
            "max_connections", "400");

    private final DatabaseServer database;
    private final KafkaBroker broker;
    private final Admin admin;
    private final Connection watching;

    Arena() throws SQLException {
        database = PostgresServer.start(DATABASE_SETTINGS);
        broker = KafkaServer.startLasting();
        admin = Admin.create(new LinkedHashMap<>(broker.clientProperties()));
        watching = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        execute("CREATE EXTENSION pg_stat_statements");
    }

    static String settings() {
        return "PostgreSQL with fsync and " + new TreeMap<>(DATABASE_SETTINGS)
                + ", wal_level logical; Kafka of one node, in a JVM as its own script starts it (1 GB); "
                + PARTITIONS
                + " partitions per topic; acks=all, idempotent";
    }

    /** Creates a separate, empty database and topic. */
    Place place(String contender) throws InterruptedException, ExecutionException {
        NewTopic topic = new NewTopic(contender, PARTITIONS, (short) 1)
                // So that checked messages can be deleted while the contest continues.
                .configs(Map.of("segment.bytes", Integer.toString(64 << 20)));
        admin.createTopics(List.of(topic)).all().get();
        String url = database.createDatabase(databaseName(contender));
        return new Place(
                new Place.Database(url, database.user()),
                new Place.Topic(broker.bootstrapServers(), contender),
                contender,
                contender + "-1");
    }

    static String databaseName(String contender) {
        return contender.replace('-', '_');
    }

    /** Waits for a database's background work after many writes. */
    void settleDown(Place place) throws SQLException {
        try (Connection conn = connect(place);
                Statement statement = conn.createStatement()) {
            statement.execute("VACUUM (ANALYZE)");
            statement.execute("CHECKPOINT");
        }
    }

    Connection connect(Place place) throws SQLException {
        return DriverManager.getConnection(place.database().url(), database.user(), database.password());
    }

    Map<String, String> kafkaClient() {
        return broker.clientProperties();
    }

    /** Deletes messages that are no longer needed. */
    void forget(Map<TopicPartition, Long> before) throws InterruptedException, ExecutionException {
        Map<TopicPartition, RecordsToDelete> all = new LinkedHashMap<>();
        before.forEach((partition, offset) -> all.put(partition, RecordsToDelete.beforeOffset(offset)));
        admin.deleteRecords(all).all().get();
    }

    /** Returns a connection for the database's own statistics. */
    Connection watching() {
        return watching;
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = watching.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        watching.close();
        admin.close();
        broker.close();
        database.close();
    }
}
