package outbox.model;

/** The status of a stored event. NEW and RETRY are pending; DONE and DEAD are settled. */
public enum EventStatus {
    NEW(0),
    DONE(1),
    RETRY(2),
    DEAD(3);

    private final int code;

    EventStatus(int code) {
        this.code = code;
    }

    /** The value of the status column. */
    public int code() {
        return code;
    }

    public static EventStatus of(int code) {
        for (EventStatus status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        throw new IllegalArgumentException("status must be 0 (NEW), 1 (DONE), 2 (RETRY) or 3 (DEAD), was " + code);
    }
}
