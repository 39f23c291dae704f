/** Delivers events to HTTP APIs with the JDK's own client. */
module outbox.http {
    requires transitive outbox.core;
    requires java.net.http;
    requires static org.jspecify;

    exports outbox.http;

    provides outbox.spi.DestinationFactory with
            outbox.http.HttpDestinationFactory;
}
