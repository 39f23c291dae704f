package catbox.bench.debezium;

import catbox.bench.contender.Place;
import java.net.URI;
import java.util.Map;
import java.util.Properties;

/** The engine's settings: those chosen for speed, and those that it requires. */
final class EngineProperties {

    static final Map<String, String> SETTINGS = Map.of(
            "poll.interval.ms", "1",
            "max.batch.size", "8192",
            "max.queue.size", "32768",
            "offset.flush.interval.ms", "1000",
            "plugin.name", "pgoutput",
            "snapshot.mode", "no_data");

    private EngineProperties() {}

    static Properties of(Place place) {
        URI database = URI.create(place.database().url().substring("jdbc:".length()));
        Properties properties = new Properties();
        properties.putAll(SETTINGS);
        properties.putAll(Map.of(
                "name", "outbox",
                "connector.class", "io.debezium.connector.postgresql.PostgresConnector",
                "offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore",
                "topic.prefix", "bench",
                "table.include.list", "public.outboxevent",
                "slot.name", "outbox",
                "publication.name", "outbox",
                "publication.autocreate.mode", "disabled"));
        properties.putAll(Map.of(
                "database.hostname", database.getHost(),
                "database.port", Integer.toString(database.getPort()),
                "database.user", place.database().user(),
                "database.password", "none",
                "database.dbname", database.getPath().substring(1)));
        properties.putAll(Map.of(
                "transforms", "outbox",
                "transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter",
                "transforms.outbox.route.topic.replacement", place.topic().name()));
        return properties;
    }
}
