/** Meters and observations of the outbox. */
module outbox.micrometer {
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires transitive outbox.core;
    requires transitive outbox.relay;
    requires static org.jspecify;

    exports outbox.micrometer;
}
