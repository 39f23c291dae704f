/** The relay: claims, orders, delivers and settles what applications have stored, alone or as a cluster. */
module outbox.relay {
    requires transitive outbox.core;
    requires static org.jspecify;

    exports outbox.relay;
    exports outbox.relay.config;
    exports outbox.relay.observe;
    exports outbox.relay.route;

    uses outbox.spi.DestinationFactory;

    provides outbox.spi.DestinationFactory with
            outbox.relay.FileDestinationFactory;
}
