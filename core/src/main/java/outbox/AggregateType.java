package outbox;

/** The kind of thing that an event is about. An enum that implements this needs no further code. */
public interface AggregateType {

    /** The name that is stored with the event. */
    String name();
}
