package outbox;

/** The type of an event. An enum that implements this needs no further code. */
public interface EventType {

    /** The name that is stored and that listeners are registered under. */
    String name();
}
