package outbox.mongodb;

/** The fields of an event's document, and the words for where it stands. */
final class Field {

    static final String ID = "_id";
    static final String SEQ = "seq";
    static final String TYPE = "type";
    static final String AGGREGATE_TYPE = "aggregateType";
    static final String AGGREGATE_ID = "aggregateId";
    static final String TENANT_ID = "tenantId";
    /** The ordering key. */
    static final String MESSAGE_GROUP = "messageGroup";

    static final String KEY_HASH = "keyHash";
    static final String BUCKET = "bucket";
    /** Text when it is JSON, binary otherwise. */
    static final String PAYLOAD = "payload";

    static final String HEADERS = "headers";
    static final String STATUS = "status";
    static final String RETRY_COUNT = "retryCount";
    static final String MAX_ATTEMPTS = "maxAttempts";
    static final String OCCURRED_AT = "occurredAt";
    /** What a date, which has milliseconds, does not hold of the time. */
    static final String OCCURRED_MICROS = "occurredMicros";

    static final String CREATED_AT = "createdAt";
    /** After {@link #CREATED_AT} in the alphabet, in which order the server writes the two, so it is never before it. */
    static final String DUE_AT = "dueAt";
    /** True for an event that was delayed or replayed, until its first attempt. */
    static final String DELAYED = "delayed";

    /** How often an operator has replayed it; missing for one that never was. */
    static final String REPLAYS = "replays";

    static final String LAST_ATTEMPT_AT = "lastAttemptAt";
    static final String PROCESSED_AT = "processedAt";
    static final String ERROR_MESSAGE = "errorMessage";
    static final String CLAIM_TOKEN = "claimToken";
    static final String CLAIMED_AT = "claimedAt";
    static final String CLAIM_MILLIS = "claimMillis";
    /** The key's hash while the event is held in order. */
    static final String HELD_LANE = "heldLane";
    /** How many holders in a row ended while they had the event; missing for nearly all. */
    static final String DEATHS = "deaths";
    /** The failed attempts. */
    static final String FAILURES = "failures";
    /** Those of several destinations that have taken it, and when. */
    static final String ACKNOWLEDGED = "acknowledged";
    /** The entries of the audit that tell of it. */
    static final String ACTS = "acts";
    /** What it carried before an operator changed that. */
    static final String ORIGINAL = "original";

    static final String PENDING = "PENDING";
    static final String COMPLETED = "COMPLETED";
    static final String FAILED = "FAILED";

    private Field() {}
}
