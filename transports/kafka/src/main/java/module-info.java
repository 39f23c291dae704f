/** Delivers events to Kafka. */
module outbox.kafka {
    requires transitive outbox.core;
    requires kafka.clients;
    requires static org.jspecify;

    exports outbox.kafka;

    provides outbox.spi.DestinationFactory with
            outbox.kafka.KafkaDestinationFactory;
}
