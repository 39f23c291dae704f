package outbox.jdbc.internal.diagnosis;

import java.time.Duration;

/**
 * The values above which a check reports a finding.
 *
 * @param transactionAge of a transaction that stays open; default 5 minutes
 * @param clockSkew between this machine's clock and the database's; default 2 seconds
 * @param connectionsShare how much of the connections that the server allows may be in use; default 0.9
 * @param deadRows how many row versions that no transaction sees any more may lie in the event table
 * @param slotBytes of the write-ahead log that a replication slot may keep from being removed; default 1 GiB
 */
public record DiagnosisLimits(
        Duration transactionAge, Duration clockSkew, double connectionsShare, DeadRows deadRows, long slotBytes) {

    /**
     * How many row versions that no transaction sees any more may lie in the event table. On PostgreSQL the first three have to be
     * exceeded; MySQL and MariaDB know only their history.
     *
     * @param rowsMin dead rows; default 100,000
     * @param share of the live ones; default 0.5
     * @param vacuumAge since the last vacuum, also one by autovacuum; default 15 minutes
     * @param historyMin the length of InnoDB's history list; default 1,000,000
     */
    public record DeadRows(long rowsMin, double share, Duration vacuumAge, long historyMin) {}

    public static final DiagnosisLimits DEFAULTS = new DiagnosisLimits(
            Duration.ofMinutes(5),
            Duration.ofSeconds(2),
            0.9,
            new DeadRows(100_000, 0.5, Duration.ofMinutes(15), 1_000_000),
            1L << 30);
}
