package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.sql.QualifiedName;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/** The checks of MySQL and MariaDB. */
public record MySqlChecks(TableNames tables, DiagnosisLimits limits) implements ServerChecks {

    private static final Set<String> OFF = Set.of("0", "off");

    @Override
    public List<Finding> readOnly(Connection conn) throws SQLException {
        String setting = variable(conn, "@@GLOBAL.read_only");
        return OFF.contains(setting.toLowerCase(Locale.ROOT))
                ? List.of()
                : List.of(ServerChecks.readOnly("read_only is " + setting + ", as replicas have it"));
    }

    private static String variable(Connection conn, String name) throws SQLException {
        return String.valueOf(DiagnosisCheck.query(conn, "SELECT " + name, row -> row.getString(1))
                .get(0));
    }

    @Override
    public List<DiagnosisCheck> others() {
        return List.of(
                new DiagnosisCheck("settings", MySqlChecks::durability),
                new DiagnosisCheck("connections", this::connections),
                new DiagnosisCheck("transactions of others", this::transactions),
                new DiagnosisCheck("InnoDB's history", this::history));
    }

    @Override
    public List<DiagnosisCheck> ofTables() {
        return List.of(new DiagnosisCheck("storage engines", this::engines));
    }

    private static List<Finding> durability(Connection conn) throws SQLException {
        String flush = variable(conn, "@@GLOBAL.innodb_flush_log_at_trx_commit");
        return ServerChecks.notDurable(
                flush.equals("1") ? List.of() : List.of("innodb_flush_log_at_trx_commit is " + flush));
    }

    private List<Finding> connections(Connection conn) throws SQLException {
        long used = DiagnosisCheck.query(conn, "SHOW GLOBAL STATUS LIKE 'Threads_connected'", row -> row.getLong(2))
                .get(0);
        return ServerChecks.connections(
                used, Long.parseLong(variable(conn, "@@GLOBAL.max_connections")), limits.connectionsShare());
    }

    // ---- transactions --------------------------------------------------------------------------------------------

    private List<Finding> transactions(Connection conn) throws SQLException {
        // trx_started is in the time zone of the system, whatever that of the session is.
        String seconds = "TIMESTAMPDIFF(SECOND, t.trx_started, CONVERT_TZ(NOW(), @@session.time_zone, 'SYSTEM'))";
        // A transaction that was prepared and left has no thread any more.
        String open = "SELECT t.trx_mysql_thread_id, p.user, COALESCE(t.trx_query, ''), " + seconds
                + " FROM information_schema.innodb_trx t"
                + " LEFT JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id"
                + " WHERE t.trx_mysql_thread_id %s AND t.trx_mysql_thread_id <> CONNECTION_ID()"
                + " AND " + seconds + " >= " + limits.transactionAge().toSeconds() + " ORDER BY t.trx_started";
        List<Finding> findings = new ArrayList<>(ServerChecks.longOpen(
                DiagnosisCheck.query(
                        conn,
                        open.formatted("<> 0"),
                        row -> new OpenTransaction(
                                "thread " + row.getLong(1) + " of user " + row.getString(2)
                                        + ", with a statement that begins " + ServerChecks.begin(row.getString(3)),
                                Duration.ofSeconds(row.getLong(4)))),
                "End it where it was begun, or with KILL THREAD. As long as it is open, nothing that has been changed since"
                        + " can be purged, in any table, and each read passes over it."));
        List<Long> prepared = DiagnosisCheck.query(conn, open.formatted("= 0"), row -> row.getLong(4));
        findings.addAll(
                ServerChecks.leftPrepared(
                        prepared.stream()
                                .limit(1)
                                .map(age -> prepared.size() + ", the oldest begun " + age + " s ago")
                                .toList(),
                        "XA RECOVER names them. Ask the transaction manager what became of them, then XA COMMIT or XA ROLLBACK."));
        return findings;
    }

    private List<Finding> history(Connection conn) throws SQLException {
        return DiagnosisCheck.query(
                conn,
                "SELECT `COUNT` FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len' AND `COUNT` > "
                        + limits.deadRows().historyMin(),
                row -> Finding.warning(
                        FindingCode.BLOAT,
                        "Old versions of rows pile up",
                        "InnoDB's history list is " + row.getLong(1) + " long",
                        "Find out what keeps the purge from it: a transaction that stays open, most often. Every read of"
                                + " the event table passes over it."));
    }

    // ---- the tables ----------------------------------------------------------------------------------------------

    private List<Finding> engines(Connection conn) throws SQLException {
        List<String> wrong = new ArrayList<>();
        for (String table : tables.all()) {
            QualifiedName name = QualifiedName.of(table);
            wrong.addAll(DiagnosisCheck.query(
                    conn,
                    "SELECT table_name, engine FROM information_schema.tables WHERE table_schema ="
                            + " COALESCE(?, DATABASE()) AND LOWER(table_name) = LOWER(?) AND engine <> 'InnoDB'",
                    row -> "table " + row.getString(1) + " is " + row.getString(2),
                    name.schema(),
                    name.name()));
        }
        return wrong.isEmpty()
                ? List.of()
                : List.of(Finding.error(
                        FindingCode.ENGINE_WRONG,
                        "A table has no transactions",
                        String.join(", ", wrong),
                        "ALTER TABLE … ENGINE = InnoDB: without transactions nothing that the outbox promises holds."));
    }

    @Override
    public List<String> missingRights(Connection conn) {
        return List.of();
    }
}
