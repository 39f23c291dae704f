package catbox.chaos;

/** Reasons for which an event may arrive twice. */
enum Reason {
    /** The destination kept it and reported a failure. */
    UNACKNOWLEDGED,
    /** Its relay was killed before it could settle the delivery. */
    KILLED,
    /**
     * Its relay was frozen before it could settle the delivery, or delivered it after the thaw before it noticed the
     * loss.
     */
    FROZEN,
    /** There was no database to settle the delivery in. */
    OUTAGE,
    /** Its relay missed its heartbeats because the machine was busy. */
    LEASE_LOST,
    /** Its relay had to release the partition, and the drain timeout had passed. */
    DRAIN_OVER
}
