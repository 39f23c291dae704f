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
 * What Kafka's clients are configured with: what is chosen here, then what the user passes through, then what cannot be
 * changed because a promise rests on it. Values may be secret, so they are shown to nobody but the clients.
 */
public final class ClientProperties {

    /**
     * A relay gives up on an answer after 30 seconds, so the client has to before that. Whole batches are handed over at
     * once, so waiting for more to come would only cost time.
     */
    private static final Map<String, String> DEFAULTS = Map.of(
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "20000",
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000",
            ProducerConfig.MAX_BLOCK_MS_CONFIG, "5000",
            ProducerConfig.LINGER_MS_CONFIG, "0",
            ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(128 << 10),
            ProducerConfig.BUFFER_MEMORY_CONFIG, Integer.toString(64 << 20),
            ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, "false",
            // By default a client publishes some hundred beans in the JVM, which nothing of ours reads.
            ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG, "",
            // So that a network which was cut off is tried again within seconds of its return.
            ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, "3000",
            ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, "3000");

    /**
     * Where the order of a key rests on it: with one request at a time a partition is sent nothing more before the answer
     * to what went before is known.
     */
    private static final Map<String, String> STREAM_DEFAULTS =
            Map.of(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");

    /** For a transaction that waits for its commit, and for its end when the one who began it is gone. */
    private static final Map<String, String> TRANSACTIONAL_DEFAULTS =
            Map.of(ProducerConfig.MAX_BLOCK_MS_CONFIG, "8000", ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, "30000");

    /** How long handing over a record may hold up whoever delivers, in the worst case. */
    private static final int HAND_OVER_MILLIS_MAX = 100;

    private static final int SCOUT_REQUEST_MILLIS_MAX = 2_000;

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
            throw settings.wrong("property.*", "is refused by Kafka: " + complaint);
        }
        if (client.deliveryMillis() < client.requestMillis()) {
            // The client would say so too, but only when it is made, which is with the first event.
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
                "cannot be set: keys and payloads are sent as the bytes that they are";
            case ProducerConfig.BOOTSTRAP_SERVERS_CONFIG -> "cannot be set: use the setting bootstrap-servers";
            case ProducerConfig.TRANSACTIONAL_ID_CONFIG ->
                "cannot be set: use the settings transactional and transactional-id-prefix";
            default -> null;
        };
    }

    // ---- for clients -----------------------------------------------------------------------------------------------

    /** For a producer that waits as long as it is set to. */
    Map<String, Object> producer(String clientId) {
        Map<String, Object> all = new HashMap<>(values);
        all.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return all;
    }

    /** For a producer that hardly waits when it cannot take a record or does not know a topic. */
    Map<String, Object> impatientProducer(String clientId) {
        Map<String, Object> all = producer(clientId);
        all.put(
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                Math.min(HAND_OVER_MILLIS_MAX, patience().toMillis()));
        return all;
    }

    Map<String, Object> admin(String clientId) {
        Map<String, Object> all = new HashMap<>(values);
        // The producer's own properties would only make the client warn that it does not know them.
        all.keySet().retainAll(AdminClientConfig.configNames());
        all.put(AdminClientConfig.CLIENT_ID_CONFIG, clientId);
        String millis = Long.toString(patience().toMillis());
        all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
        all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
        return all;
    }

    /** For a client that only asks. */
    Map<String, Object> scout(String clientId) {
        Map<String, Object> all = new HashMap<>(values);
        all.keySet().retainAll(ConsumerConfig.configNames());
        all.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG); // A producer's.
        all.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
        all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        // A connection on which there is no answer is given up soon: the next question may find a broker that works.
        all.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(SCOUT_REQUEST_MILLIS_MAX, (int) requestMillis()));
        all.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "500");
        return all;
    }

    // ---- for us ----------------------------------------------------------------------------------------------------

    String clientId() {
        return values.getOrDefault(ProducerConfig.CLIENT_ID_CONFIG, name);
    }

    String bootstrapServers() {
        return values.getOrDefault(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "");
    }

    /**
     * Whether records of one key that are handed over together arrive in order or not at all: they go to one partition,
     * because nobody has set what else chooses it, and one after the other.
     */
    boolean keepsTheOrderOfAKey() {
        return !values.containsKey(ProducerConfig.PARTITIONER_CLASS_CONFIG)
                && parsed.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION) == 1;
    }

    /** Whether what the user set makes records smaller on their way, so that their size is not known here. */
    boolean compresses() {
        return !parsed.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG).equals("none");
    }

    long bufferBytes() {
        return parsed.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG);
    }

    /** How long a topic may be looked for, or a transaction may take to begin or to end. */
    Duration patience() {
        return Duration.ofMillis(parsed.getLong(ProducerConfig.MAX_BLOCK_MS_CONFIG));
    }

    /** How long the client remembers a topic that is not used. */
    Duration topicMemory() {
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
