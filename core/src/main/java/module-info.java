/** The transactional outbox library: API, ports, dispatcher, poller and registry, on nothing but the JDK. */
// The modules that internals are exported to depend on this one, so the compiler does not know them yet.
@SuppressWarnings("module")
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
    exports outbox.spi.operations;
    exports outbox.spi.relay;
    exports outbox.util;
    exports outbox.internal to
            outbox.http,
            outbox.jdbc,
            outbox.kafka,
            outbox.micrometer,
            outbox.mongodb,
            outbox.rabbitmq,
            outbox.relay,
            outbox.sqs;

    uses outbox.spi.DestinationFactory;
}
