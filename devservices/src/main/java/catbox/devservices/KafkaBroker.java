package catbox.devservices;

import java.nio.file.Path;
import java.util.Map;

/** A Kafka server with its clients' properties. */
public interface KafkaBroker extends DevServer {

    /** Returns the value of {@code bootstrap.servers}. */
    String bootstrapServers();

    /** Returns properties for a client of any kind with all permissions. */
    Map<String, String> clientProperties();

    /**
     * Returns properties for a client of any kind with this login.
     *
     * @throws IllegalStateException if the server is not secured
     */
    Map<String, String> clientProperties(KafkaLogin login);

    /**
     * Returns the store with the certificate that a client has to trust.
     *
     * @throws IllegalStateException if the server is not secured
     */
    Path trustStore();

    /** Returns the password of the trust store. */
    String trustStorePassword();
}
