package outbox.dispatch;

/** Keeps one instance from processing an event twice at the same time. */
public interface InFlightTracker {

    /** False when the event is already in flight. */
    boolean tryAcquire(String eventId);

    void release(String eventId);
}
