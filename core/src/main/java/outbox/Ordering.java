package outbox;

/** Which order the dispatcher keeps between events. */
public enum Ordering {
    /** None: every event is delivered as soon as a worker is free, handed over in memory after commit. */
    NONE,
    /**
     * Per key: an event is delivered only when every older pending event of its ordering key is settled. The
     * hot path then wakes the poller instead of handing over the event, since only the table knows the order.
     */
    KEY
}
