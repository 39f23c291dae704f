package catbox.devservices;

import java.nio.file.Path;

/** A RabbitMQ server with its clients' login. Its port accepts plain connections. */
public interface RabbitMqBroker extends DevServer {

    /** Returns the port on 127.0.0.1 that accepts TLS connections. */
    int tlsPort();

    /** Returns a user with all permissions. */
    String user();

    /** Returns the password of that user. */
    String password();

    /** Returns a PKCS12 store with the certificate that a client of the TLS port has to trust. */
    Path trustStore();

    /** Returns the password of the trust store. */
    String trustStorePassword();
}
