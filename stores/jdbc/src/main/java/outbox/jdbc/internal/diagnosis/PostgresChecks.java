package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/** The checks of PostgreSQL. */
public record PostgresChecks(TableNames tables, DiagnosisLimits limits) implements ServerChecks {

    private static final Set<String> OFF = Set.of("off", "false", "no", "0");

    @Override
    public List<Finding> readOnly(Connection conn) throws SQLException {
        return DiagnosisCheck.query(
                        conn,
                        "SELECT CASE WHEN pg_is_in_recovery() THEN 'it is a replica, or still recovering'"
                                + " WHEN current_setting('transaction_read_only') = 'on'"
                                + " THEN 'default_transaction_read_only is on for this user or database' ELSE '' END",
                        row -> row.getString(1))
                .stream()
                .filter(why -> !why.isEmpty())
                .map(ServerChecks::readOnly)
                .toList();
    }

    @Override
    public List<DiagnosisCheck> others() {
        return List.of(
                new DiagnosisCheck("settings", PostgresChecks::durability),
                new DiagnosisCheck("connections", this::connections),
                new DiagnosisCheck("transactions of others", this::transactions),
                new DiagnosisCheck("prepared transactions", this::prepared),
                new DiagnosisCheck("replication slots", this::slots));
    }

    @Override
    public List<DiagnosisCheck> ofTables() {
        return List.of(
                new DiagnosisCheck("dead rows", this::bloat), new DiagnosisCheck("autovacuum", this::autovacuum));
    }

    // ---- the server ----------------------------------------------------------------------------------------------

    private static List<Finding> durability(Connection conn) throws SQLException {
        List<String> off = DiagnosisCheck.query(
                conn,
                "SELECT name FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit')"
                        + " AND setting = 'off' ORDER BY name",
                row -> row.getString(1) + " is off");
        return ServerChecks.notDurable(off);
    }

    private List<Finding> connections(Connection conn) throws SQLException {
        return DiagnosisCheck.query(
                        conn,
                        "SELECT count(*), current_setting('max_connections')::int"
                                + " - current_setting('superuser_reserved_connections')::int"
                                + " FROM pg_stat_activity WHERE datid IS NOT NULL",
                        row -> ServerChecks.connections(row.getLong(1), row.getLong(2), limits.connectionsShare()))
                .get(0);
    }

    // ---- transactions --------------------------------------------------------------------------------------------

    private List<Finding> transactions(Connection conn) throws SQLException {
        List<OpenTransaction> open = DiagnosisCheck.query(
                conn,
                "SELECT pid, usename, application_name, state, query,"
                        + " (extract(epoch FROM clock_timestamp() - xact_start) * 1000)::bigint"
                        + " FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                        + " AND backend_type = 'client backend'"
                        + " AND xact_start < clock_timestamp() - ? * INTERVAL '1 millisecond' ORDER BY xact_start",
                row -> new OpenTransaction(
                        "process " + row.getInt(1) + " of user " + row.getString(2)
                                + named(row.getString(3)) + ", " + row.getString(4) + ", with a statement that begins "
                                + ServerChecks.begin(row.getString(5)),
                        Duration.ofMillis(row.getLong(6))),
                limits.transactionAge().toMillis());
        List<Finding> findings = new ArrayList<>(ServerChecks.longOpen(
                open,
                "End it where it was begun, or with SELECT pg_terminate_backend(PROCESS). As long as it is open, nothing"
                        + " that has died since can be vacuumed, in any table."));
        findings.addAll(hidden(conn));
        return findings;
    }

    private static String named(@Nullable String application) {
        return application == null || application.isBlank() ? "" : " (" + application + ")";
    }

    // A user without the right sees no transactions of others.
    private static List<Finding> hidden(Connection conn) throws SQLException {
        long count = DiagnosisCheck.query(
                        conn,
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                + " AND query = '<insufficient privilege>'",
                        row -> row.getLong(1))
                .get(0);
        return count == 0
                ? List.of()
                : List.of(Finding.advice(
                        FindingCode.VIEW_LIMITED,
                        "Transactions of other users cannot be seen",
                        "what " + count + " sessions of others in this database do is hidden from this user",
                        "GRANT pg_monitor to the user, to find transactions that stay open."));
    }

    private List<Finding> prepared(Connection conn) throws SQLException {
        List<String> left = DiagnosisCheck.query(
                conn,
                "SELECT gid, owner, (extract(epoch FROM clock_timestamp() - prepared))::bigint FROM pg_prepared_xacts"
                        + " WHERE database = current_database()"
                        + " AND prepared < clock_timestamp() - ? * INTERVAL '1 millisecond' ORDER BY prepared",
                row -> row.getString(1) + " of user " + row.getString(2) + ", prepared " + row.getLong(3) + " s ago",
                limits.transactionAge().toMillis());
        return ServerChecks.leftPrepared(
                left, "Ask the transaction manager what became of it, then COMMIT PREPARED or ROLLBACK PREPARED.");
    }

    private List<Finding> slots(Connection conn) throws SQLException {
        List<String> behind = DiagnosisCheck.query(
                conn,
                "SELECT slot_name, active, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint"
                        + " FROM pg_replication_slots WHERE NOT pg_is_in_recovery()"
                        + " AND pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) > ? ORDER BY 3 DESC",
                row -> "slot " + row.getString(1) + (row.getBoolean(2) ? ", in use," : ", not in use,") + " keeps "
                        + row.getLong(3) / 1024 / 1024 + " MiB",
                limits.slotBytes());
        return DiagnosisCheck.warning(
                FindingCode.REPLICATION_SLOT_BEHIND,
                "A replication slot keeps the write-ahead log from being removed",
                behind,
                "Let its consumer continue, or drop it with pg_drop_replication_slot if there is none any more: the disk"
                        + " fills up, and what a slot holds back cannot be vacuumed.");
    }

    // ---- the tables ----------------------------------------------------------------------------------------------

    private List<Finding> bloat(Connection conn) throws SQLException {
        DiagnosisLimits.DeadRows dead = limits.deadRows();
        return DiagnosisCheck.query(
                conn,
                "SELECT n_dead_tup, n_live_tup, COALESCE(to_char(GREATEST(last_vacuum, last_autovacuum) AT TIME ZONE"
                        + " 'UTC', 'YYYY-MM-DD HH24:MI:SS \"UTC\"'), 'never') FROM pg_stat_all_tables"
                        + " WHERE relid = to_regclass(?) AND n_dead_tup > ? AND n_dead_tup > n_live_tup * ?"
                        + " AND COALESCE(GREATEST(last_vacuum, last_autovacuum) < now() - ? * INTERVAL"
                        + " '1 millisecond', true)",
                row -> Finding.warning(
                        FindingCode.BLOAT,
                        "Dead rows pile up in the event table",
                        row.getLong(1) + " dead rows next to " + row.getLong(2) + " live ones, last vacuumed: "
                                + row.getString(3),
                        "Find out what keeps vacuum from them: a long transaction, a replication slot, or autovacuum"
                                + " that is off or too slow. VACUUM the table once that is gone."),
                tables.event(),
                dead.rowsMin(),
                dead.share(),
                dead.vacuumAge().toMillis());
    }

    private List<Finding> autovacuum(Connection conn) throws SQLException {
        List<String> off = new ArrayList<>(DiagnosisCheck.query(
                conn,
                "SELECT name FROM pg_settings WHERE name IN ('autovacuum', 'track_counts') AND setting = 'off'",
                row -> "the setting " + row.getString(1) + " is off"));
        DiagnosisCheck.query(
                        conn,
                        "SELECT o.option_value FROM pg_class c, pg_options_to_table(c.reloptions) o"
                                + " WHERE c.oid = to_regclass(?) AND o.option_name = 'autovacuum_enabled'",
                        row -> row.getString(1),
                        tables.event())
                .stream()
                .filter(OFF::contains)
                .forEach(value -> off.add("table " + tables.event() + " has autovacuum_enabled=" + value));
        return DiagnosisCheck.warning(
                FindingCode.AUTOVACUUM_OFF,
                "Nothing vacuums the event table",
                off,
                "Switch it on again: every event that is settled leaves a dead row behind.");
    }

    /**
     * Relays read the last number that the sequence gave out. Newer versions return null to a user without the right, and
     * then every read begins with the oldest pending event.
     */
    @Override
    public List<String> missingRights(Connection conn) throws SQLException {
        return DiagnosisCheck.query(
                conn,
                "SELECT sequence.name FROM (SELECT pg_get_serial_sequence(?, 'seq') AS name OFFSET 0) sequence"
                        + " WHERE NOT has_sequence_privilege(sequence.name, 'USAGE, SELECT')",
                row -> "USAGE on sequence " + row.getString(1),
                tables.event());
    }
}
