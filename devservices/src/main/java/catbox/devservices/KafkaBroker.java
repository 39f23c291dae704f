package catbox.devservices;

import java.nio.file.Path;
import java.util.Map;

/** A Kafka server, and how clients get in. */
public interface KafkaBroker extends DevServer {

    /** The value of {@code bootstrap.servers}. */
    String bootstrapServers();

    /** Properties for a client of any kind that may do everything. */
    Map<String, String> clientProperties();

    /**
     * Properties for a client of any kind that comes as this user.
     *
     * @throws IllegalStateException if the server is not secured
     */
    Map<String, String> clientProperties(KafkaLogin login);

    /**
     * The store with the certificate that a client has to trust.
     *
     * @throws IllegalStateException if the server is not secured
     */
    Path trustStore();

    /** The password of the trust store. */
    String trustStorePassword();
}
