package outbox.message;

/** The forms in which an event can be sent. */
public enum MessageForm {
    /** The payload as it is, and headers whose names begin with {@code outbox-}. */
    PLAIN,
    /** CloudEvents 1.0, binary mode: the payload as it is, and attributes as headers. */
    CLOUDEVENTS,
    /** CloudEvents 1.0, structured mode: one JSON document with the attributes and the payload. */
    CLOUDEVENTS_STRUCTURED,
    /**
     * What consumers of Debezium's outbox event router expect: the payload as it is, its id in the header {@code id}.
     */
    DEBEZIUM_OUTBOX
}
