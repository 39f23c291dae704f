/** Exports the outbox's activity as Micrometer meters and observations. */
module outbox.micrometer {
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires transitive outbox.core;
    requires transitive outbox.relay;
    requires static org.jspecify;

    exports outbox.micrometer;
}
