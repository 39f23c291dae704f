/** The relay: claims, orders, delivers and settles what applications have stored, alone or as a cluster. */
module outbox.relay {
    requires transitive outbox.core;
    requires static org.jspecify;

    exports outbox.relay;
    exports outbox.relay.cluster;
    exports outbox.relay.config;
    exports outbox.relay.deliver;
    exports outbox.relay.observe;
    exports outbox.relay.route;
    exports outbox.relay.settle;
    exports outbox.relay.wake;

    uses outbox.spi.DestinationFactory;

    provides outbox.spi.DestinationFactory with
            outbox.relay.deliver.FileDestinationFactory;
}
