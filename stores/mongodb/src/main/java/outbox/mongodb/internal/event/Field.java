package outbox.mongodb.internal.event;

/** The fields of an event's document, and the values of its status. */
public final class Field {

    public static final String ID = "_id";
    public static final String SEQ = "seq";
    public static final String TYPE = "type";
    public static final String AGGREGATE_TYPE = "aggregateType";
    public static final String AGGREGATE_ID = "aggregateId";
    public static final String TENANT_ID = "tenantId";
    /** The ordering key. */
    public static final String MESSAGE_GROUP = "messageGroup";

    public static final String KEY_HASH = "keyHash";
    public static final String BUCKET = "bucket";
    /** Text when it is JSON, binary otherwise. */
    public static final String PAYLOAD = "payload";

    public static final String HEADERS = "headers";
    public static final String STATUS = "status";
    public static final String RETRY_COUNT = "retryCount";
    public static final String MAX_ATTEMPTS = "maxAttempts";
    public static final String OCCURRED_AT = "occurredAt";
    /** The microseconds of the time that a date, which has milliseconds, leaves out. */
    public static final String OCCURRED_MICROS = "occurredMicros";

    public static final String CREATED_AT = "createdAt";
    /**
     * Alphabetically after {@link #CREATED_AT}. The server fills them in this order, so it is never the earlier one.
     */
    public static final String DUE_AT = "dueAt";
    /** True for an event that was delayed or replayed, until its first attempt. */
    public static final String DELAYED = "delayed";

    /** How often an operator has replayed it; missing for zero. */
    public static final String REPLAYS = "replays";

    public static final String LAST_ATTEMPT_AT = "lastAttemptAt";
    public static final String PROCESSED_AT = "processedAt";
    public static final String ERROR_MESSAGE = "errorMessage";
    public static final String CLAIM_TOKEN = "claimToken";
    public static final String CLAIMED_AT = "claimedAt";
    public static final String CLAIM_MILLIS = "claimMillis";
    /** Marks the command that settled it last, if that was outside of a transaction. */
    static final String SETTLED_BY = "settledBy";
    /** How many holders in a row ended while they held the event; missing for nearly all. */
    static final String DEATHS = "deaths";
    /** The failed attempts. */
    public static final String FAILURES = "failures";
    /** Those of several destinations that have accepted it, and when. */
    public static final String ACKNOWLEDGED = "acknowledged";
    /** The entries of the audit that concern it. */
    public static final String ACTS = "acts";
    /** The payload and headers before an operator changed them. */
    public static final String ORIGINAL = "original";

    public static final String PENDING = "PENDING";
    public static final String COMPLETED = "COMPLETED";
    public static final String FAILED = "FAILED";

    private Field() {}
}
