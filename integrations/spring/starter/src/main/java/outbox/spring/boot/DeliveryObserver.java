package outbox.spring.boot;

import outbox.EventListener;
import outbox.relay.Relay;
import outbox.relay.RelayBuilder;
import outbox.spi.Destination;

/** Wraps deliveries to measure and trace them. */
interface DeliveryObserver {

    /** Used when nothing is measured. */
    DeliveryObserver NONE = new DeliveryObserver() {
        @Override
        public Destination around(String name, Destination destination) {
            return destination;
        }

        @Override
        public EventListener around(EventListener listener) {
            return listener;
        }

        @Override
        public RelayBuilder prepare(RelayBuilder relay) {
            return relay;
        }

        @Override
        public void started(Relay relay) {}
    };

    Destination around(String name, Destination destination);

    EventListener around(EventListener listener);

    RelayBuilder prepare(RelayBuilder relay);

    void started(Relay relay);
}
