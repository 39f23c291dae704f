package catbox.devservices;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Kafka server, secured if it has keys. */
final class ChildKafka extends ChildServer implements KafkaBroker {

    private final @Nullable KafkaKeys keys;

    ChildKafka(Blueprint blueprint, ServerFolder folder, @Nullable KafkaKeys keys) {
        super(blueprint, folder);
        this.keys = keys;
    }

    @Override
    public String bootstrapServers() {
        return "127.0.0.1:" + port();
    }

    @Override
    public Map<String, String> clientProperties() {
        return keys == null ? Map.of("bootstrap.servers", bootstrapServers()) : clientProperties(KafkaServer.ADMIN);
    }

    @Override
    public Map<String, String> clientProperties(KafkaLogin login) {
        return Map.of(
                "bootstrap.servers", bootstrapServers(),
                "security.protocol", "SASL_SSL",
                "sasl.mechanism", login.mechanism(),
                "sasl.jaas.config", login.jaasConfig(),
                "ssl.truststore.location", trustStore().toString(),
                "ssl.truststore.password", trustStorePassword());
    }

    @Override
    public Path trustStore() {
        if (keys == null) {
            throw new IllegalStateException(this + " is not secured");
        }
        return keys.trustStore();
    }

    @Override
    public String trustStorePassword() {
        return KafkaKeys.PASSWORD;
    }
}
