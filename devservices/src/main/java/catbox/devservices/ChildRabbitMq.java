package catbox.devservices;

import java.nio.file.Path;

/** A RabbitMQ server with a plain and a TLS port. */
final class ChildRabbitMq extends ChildServer implements RabbitMqBroker {

    static final String USER = "catbox";
    static final String PASSWORD = "the-rabbits-password";

    private final int tlsPort;
    private final KafkaKeys keys;

    ChildRabbitMq(Blueprint blueprint, ServerFolder folder, int tlsPort, KafkaKeys keys) {
        super(blueprint, folder);
        this.tlsPort = tlsPort;
        this.keys = keys;
    }

    @Override
    public int tlsPort() {
        return tlsPort;
    }

    @Override
    public String user() {
        return USER;
    }

    @Override
    public String password() {
        return PASSWORD;
    }

    @Override
    public Path trustStore() {
        return keys.trustStore();
    }

    @Override
    public String trustStorePassword() {
        return KafkaKeys.PASSWORD;
    }
}
