package catbox.chaos;

/** Why an event may arrive twice. */
enum Reason {
    /** The destination kept it and said that it had failed. */
    UNACKNOWLEDGED,
    /** Its relay was killed before it could write down that it was delivered. */
    KILLED,
    /** Its relay was frozen before it could, or delivered it when it was thawed and did not know yet. */
    FROZEN,
    /** There was no database to write it down in. */
    OUTAGE,
    /** Its relay could not beat in time, because the machine was busy. */
    LEASE_LOST,
    /** Its relay had to give the slot back, and the time to drain was over. */
    DRAIN_OVER
}
