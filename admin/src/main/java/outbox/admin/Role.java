package outbox.admin;

/** What an operator may do. Each role includes the ones before it; reading payloads is a separate right. */
public enum Role {
    /** Sees everything but payloads. */
    VIEWER,
    /** Replays, pauses and resumes: what can be undone, or repeated without harm. */
    OPERATOR,
    /** Changes, discards and purges events, and moves partitions. */
    ADMIN;

    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }
}
