package outbox.relay.observe;

/** Receives the events of a relay, on the relay's threads: it must return soon. */
@FunctionalInterface
public interface RelayListener {

    void on(RelayEvent event);
}
