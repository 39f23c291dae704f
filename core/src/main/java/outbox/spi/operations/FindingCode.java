package outbox.spi.operations;

import java.util.Locale;

/**
 * The codes of all findings. A fault has the same code for every database, so that programs and people recognize it;
 * docs/operating/doctor.md explains each.
 */
public enum FindingCode {
    // The database.
    DATABASE_UNREACHABLE,
    CREDENTIALS_REFUSED,
    DATABASE_READ_ONLY,
    CONNECTIONS_NEARLY_USED,
    CLOCK_SKEW,
    NOT_DURABLE,
    NO_REPLICA_SET,
    OPLOG_SHORT,
    // The tables.
    TABLES_MISSING,
    SCHEMA_OLDER,
    SCHEMA_NEWER,
    RIGHTS_MISSING,
    ENGINE_WRONG,
    INDEX_MISSING,
    INDEX_WRONG,
    INDEX_INVALID,
    VALIDATOR_WRONG,
    BLOAT,
    AUTOVACUUM_OFF,
    // Other programs in the database.
    LONG_TRANSACTION,
    PREPARED_TRANSACTION,
    REPLICATION_SLOT_BEHIND,
    VIEW_LIMITED,
    // The events.
    NOT_READABLE,
    ROWS_UNREADABLE,
    OLDEST_PENDING,
    NEVER_RELAYED,
    KEY_STUCK,
    DEAD_EVENTS,
    EVENTS_DYING,
    NO_ROUTE,
    RETENTION_LATE,
    // The relays.
    NO_NODE,
    ALL_DRAINED,
    HEARTBEAT_LATE,
    NODE_EXPIRED,
    VERSIONS_DIFFER,
    PARTITIONS_CHANGING,
    PARTITION_WITHOUT_OWNER,
    SOURCE_ON_HOLD,
    HELD_FOR_LONG,
    // A server.
    SOURCE_NOT_CONNECTED,
    DESTINATION_DOWN,
    DESTINATION_NOT_CONTACTED,
    DESTINATION_CREDENTIALS_REFUSED,
    DESTINATION_PLACE_MISSING,
    DESTINATION_FAILING,
    DESTINATION_ADDRESS_UNAVAILABLE,
    PARTITION_FULL,
    POOL_TOO_SMALL,
    RELAY_PART_FAILED,
    RELOAD_REFUSED;

    /** The code in findings, such as {@code long-transaction}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
