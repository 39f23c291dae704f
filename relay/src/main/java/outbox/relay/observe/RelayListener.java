package outbox.relay.observe;

/** Told what happens in the engine, on the engine's threads: it must return soon. */
@FunctionalInterface
public interface RelayListener {

    void on(RelayEvent event);
}
