package outbox.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import outbox.spi.Settings;

/**
 * Configuration of Kafka's clients. Defaults come first, then the user's properties, then the properties on which a
 * promise rests and which cannot be changed. Values may be secret, so only the clients see them.
 */
public final class ClientProperties {

    /**
     * A relay stops waiting for an outcome after 30 seconds, so the client has to give up earlier. Whole batches are
     * handed over at once, so lingering for more records would only add latency.
     */
    private static final Map<String, String> DEFAULTS = Map.of(
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "20000",
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000",
            ProducerConfig.MAX_BLOCK_MS_CONFIG, "5000",
            ProducerConfig.LINGER_MS_CONFIG, "0",
            ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(128 << 10),
            ProducerConfig.BUFFER_MEMORY_CONFIG, Integer.toString(64 << 20),
            ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, "false",
            // By default a client registers about a hundred JMX beans, which this destination does not use.
            ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG, "",
            // A connection that a network failure cut is tried again within seconds of the network's return.
            ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, "3000",
            ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, "3000");

    /**
     * The order of a key depends on this value: with one request in flight, the producer sends nothing to a partition
     * before it knows the result of the previous request.
     */
    private static final Map<String, String> STREAM_DEFAULTS =
            Map.of(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");

    /** Bounds how long a transaction waits for its commit, and how long it stays open after its producer is gone. */
    private static final Map<String, String> TRANSACTIONAL_DEFAULTS =
            Map.of(ProducerConfig.MAX_BLOCK_MS_CONFIG, "8000", ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, "30000");

    /** Limits how long handing over a record may block the delivering thread. */
    private static final int HAND_OVER_MILLIS_MAX = 100;

    private static final int PROBE_REQUEST_MILLIS_MAX = 2_000;

    private final String name;
    private final Map<String, String> values;
    private final ProducerConfig parsed;

    private ClientProperties(String name, Map<String, String> values) {
        this.name = name;
        this.values = values;
        this.parsed = new ProducerConfig(producer(name));
    }

    static ClientProperties from(Settings settings, boolean transactional) {
        Map<String, String> values = new LinkedHashMap<>(DEFAULTS);
        values.putAll(transactional ? TRANSACTIONAL_DEFAULTS : STREAM_DEFAULTS);
        settings.group("property").forEach((property, value) -> {
            String refusal = refusal(property, value.strip().toLowerCase(Locale.ROOT));
            if (refusal != null) {
                throw settings.wrong("property." + property, refusal);
            }
            values.put(property, value);
        });
        values.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.required("bootstrap-servers"));
        values.put(ProducerConfig.ACKS_CONFIG, "all");
        values.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        values.putIfAbsent(ProducerConfig.CLIENT_ID_CONFIG, settings.name());
        ClientProperties client;
        try {
            client = new ClientProperties(settings.name(), values);
        } catch (ConfigException e) {
            String complaint = Redaction.of(values).in(String.valueOf(e.getMessage()));
            throw settings.wrong("property.*", "is rejected by Kafka: " + complaint);
        }
        if (client.deliveryMillis() < client.requestMillis()) {
            // The client checks this too, but only when it is created, which is with the first event.
            throw settings.wrong(
                    "property." + ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                    "must be at least linger.ms and request.timeout.ms together, which is " + client.requestMillis()
                            + ", was " + client.deliveryMillis());
        }
        return client;
    }

    private long deliveryMillis() {
        return parsed.getInt(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);
    }

    private long requestMillis() {
        return parsed.getLong(ProducerConfig.LINGER_MS_CONFIG)
                + parsed.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
    }

    private static @Nullable String refusal(String property, String value) {
        return switch (property) {
            case ProducerConfig.ACKS_CONFIG ->
                value.equals("all") || value.equals("-1")
                        ? null
                        : "must be all: an event counts as delivered when all replicas have it";
            case ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG ->
                value.equals("true")
                        ? null
                        : "must be true: without it a resend inside the client breaks the order of a key";
            case ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG ->
                value.equals("false") ? null : "must be false: events of one key are in order within one partition";
            case ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG ->
                "cannot be set: keys and payloads are sent as their own bytes";
            case ProducerConfig.BOOTSTRAP_SERVERS_CONFIG -> "cannot be set: use the setting bootstrap-servers";
            case ProducerConfig.TRANSACTIONAL_ID_CONFIG ->
                "cannot be set: use the settings transactional and transactional-id-prefix";
            default -> null;
        };
    }

    // ---- properties for clients ------------------------------------------------------------------------------------

    /** Returns properties of a producer that waits as long as configured. */
    Map<String, Object> producer(String clientId) {
        Map<String, Object> all = new HashMap<>(values);
        all.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return all;
    }

    /**
     * Returns properties of a producer that waits at most {@value #HAND_OVER_MILLIS_MAX} ms for memory or for a topic.
     */
    Map<String, Object> fastProducer(String clientId) {
        Map<String, Object> all = producer(clientId);
        all.put(
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                Math.min(HAND_OVER_MILLIS_MAX, blockMax().toMillis()));
        return all;
    }

    Map<String, Object> admin(String clientId) {
        Map<String, Object> all = new HashMap<>(values);
        // The client would log warnings about properties that only producers know.
        all.keySet().retainAll(AdminClientConfig.configNames());
        all.put(AdminClientConfig.CLIENT_ID_CONFIG, clientId);
        String millis = Long.toString(blockMax().toMillis());
        all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
        all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
        return all;
    }

    /** Returns properties of a client that only reads metadata. */
    Map<String, Object> probe(String clientId) {
        Map<String, Object> all = new HashMap<>(values);
        all.keySet().retainAll(ConsumerConfig.configNames());
        all.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG); // Interceptors of a producer do not fit a consumer.
        all.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
        all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        // A connection without an answer is dropped early, because the next request may reach a working broker.
        all.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(PROBE_REQUEST_MILLIS_MAX, (int) requestMillis()));
        all.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "500");
        return all;
    }

    // ---- properties for this destination ---------------------------------------------------------------------------

    String clientId() {
        return values.getOrDefault(ProducerConfig.CLIENT_ID_CONFIG, name);
    }

    String bootstrapServers() {
        return values.getOrDefault(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "");
    }

    /**
     * Returns whether records of one key that are handed over together arrive in order or not at all. They do if the
     * default partitioner sends them to one partition, and one request at a time is in flight.
     */
    boolean keepsKeyOrder() {
        return !values.containsKey(ProducerConfig.PARTITIONER_CLASS_CONFIG)
                && parsed.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION) == 1;
    }

    /** Returns whether the user's properties compress records, so that their final size is unknown here. */
    boolean compresses() {
        return !parsed.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG).equals("none");
    }

    long bufferBytes() {
        return parsed.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG);
    }

    /** Returns how long a topic lookup may take, or the begin or end of a transaction. */
    Duration blockMax() {
        return Duration.ofMillis(parsed.getLong(ProducerConfig.MAX_BLOCK_MS_CONFIG));
    }

    /** Returns how long the client remembers an unused topic. */
    Duration topicIdleMax() {
        return Duration.ofMillis(parsed.getLong(ProducerConfig.METADATA_MAX_IDLE_CONFIG));
    }

    Redaction redaction() {
        return Redaction.of(values);
    }

    @Override
    public String toString() {
        Set<String> names = new TreeSet<>(values.keySet());
        names.removeAll(List.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, ProducerConfig.CLIENT_ID_CONFIG));
        return name + " at " + bootstrapServers() + ", with " + names;
    }
}
