package outbox.admin;

/** What a person may do. Each role includes the ones before it; reading payloads is a right of its own. */
public enum Role {
    /** Sees everything but payloads. */
    VIEWER,
    /** Replays, pauses and resumes: what can be undone, or is harmless to do again. */
    OPERATOR,
    /** Changes, discards and purges events, and moves partitions. */
    ADMIN;

    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }
}
