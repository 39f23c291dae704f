package catbox.devservices;

import java.nio.file.Path;

/** A RabbitMQ server, and how clients get in. Its port takes plain connections. */
public interface RabbitMqBroker extends DevServer {

    /** The port on 127.0.0.1 that takes TLS connections. */
    int tlsPort();

    /** A user who may do everything. */
    String user();

    /** The password of that user. */
    String password();

    /** A store, in PKCS12, with the certificate that a client of the TLS port has to trust. */
    Path trustStore();

    /** The password of the trust store. */
    String trustStorePassword();
}
