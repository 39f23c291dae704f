/** Delivers events to RabbitMQ. */
module outbox.rabbitmq {
    requires transitive outbox.core;
    requires com.rabbitmq.client;
    requires static org.jspecify;

    exports outbox.rabbitmq;

    provides outbox.spi.DestinationFactory with
            outbox.rabbitmq.RabbitMqDestinationFactory;
}
