package catbox.simulation;

/** What has to happen in some runs, since a promise that is kept while nothing puts it to the test shows nothing. */
enum Reached {
    /** A read ended because of its bytes. */
    BYTES_MAX,
    /** A key had more events than may wait in memory. */
    EVENTS_PER_LANE_MAX,
    /** The limit of skipped keys was reached, so that nothing new was read. */
    LANES_PASSED_MAX,
    /** A claim by lease was renewed. */
    CLAIM_RENEWED,
    /** A claim by lease could not be renewed, because it was another's by then. */
    CLAIM_LOST,
    /** A claim by lease had expired, and its event was claimed again. */
    CLAIM_EXPIRED,
    /** Several events of a key failed together. */
    FAILED_TOGETHER,
    /** A call failed as a whole because of one event that can never be delivered. */
    SPOILED_CALL,
}
