/** The transactional outbox library: API, ports, dispatcher, poller and registry, on nothing but the JDK. */
module outbox.core {
    requires transitive java.sql;
    requires static org.jspecify;

    exports outbox;
    exports outbox.dispatch;
    exports outbox.message;
    exports outbox.model;
    exports outbox.poller;
    exports outbox.registry;
    exports outbox.retention;
    exports outbox.spi;
    exports outbox.util;

    uses outbox.spi.DestinationFactory;
}
