package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.spi.ConnectionProvider;
import outbox.spi.operations.DiagnosisStore;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/**
 * Finds faults of the tables, of their database, and of other transactions there. Everything is read from catalogues and
 * figures that the database keeps anyway; of events only those with a status or a hash that is not allowed are read. No
 * row is changed, and each statement has two seconds.
 *
 * <p>A transaction of another program is named by its user, its age, and the first words of its statement up to the
 * first character that belongs to no name, so that no value is among them.
 *
 * @param clock of this machine, which is compared with the database's
 */
public record JdbcDiagnosisStore(
        ConnectionProvider connectionProvider, TableNames tables, DiagnosisLimits limits, InstantSource clock)
        implements DiagnosisStore {

    @Override
    public List<Finding> findings() {
        try (Connection conn = connectionProvider.getConnection()) {
            boolean autoCommit = conn.getAutoCommit();
            conn.setAutoCommit(true); // So that a check that fails does not fail those that follow.
            try {
                return check(conn);
            } finally {
                conn.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            return List.of(unreachable(e));
        } catch (OutboxException e) {
            return List.of(unreachable(e)); // Of a provider that throws exceptions of its own.
        }
    }

    private List<Finding> check(Connection conn) throws SQLException {
        Dialect dialect = Dialect.of(conn);
        Diagnosis diagnosis = new Diagnosis(conn);
        diagnosis.run("the clock", new ClockCheck(dialect, clock, limits.clockSkew())::findings);
        ServerChecks server = dialect.checks(tables, limits);
        boolean writable = diagnosis.run("whether it can be written to", server::readOnly);
        diagnosis.runAll(server.others());
        if (diagnosis.run("the tables", new TablesCheck(tables)::findings)) {
            if (diagnosis.run("the indexes", new IndexCheck(dialect, tables)::findings)) {
                diagnosis.run("rows that no relay finds", new StrayRowCheck(dialect, tables)::findings);
            }
            diagnosis.runAll(server.ofTables());
            if (writable) {
                diagnosis.run("the rights of this user", new RightsCheck(tables, server)::findings);
            }
        }
        return diagnosis.findings();
    }

    private static Finding unreachable(Exception e) {
        SQLException cause = e instanceof SQLException sql
                ? SqlFailure.deepest(sql)
                : e.getCause() instanceof SQLException sql ? SqlFailure.deepest(sql) : new SQLException(e.getMessage());
        String message = Diagnosis.line(cause.getMessage());
        return SqlFailure.isRefusedLogin(cause)
                ? Finding.error(
                        FindingCode.CREDENTIALS_REFUSED,
                        "The database refuses the user or the password",
                        message,
                        "Check both, and whether this user may enter the database from this machine.")
                : Finding.error(
                        FindingCode.DATABASE_UNREACHABLE,
                        "No connection to the database can be opened",
                        message,
                        "See whether it runs, whether host, port and name are right, and whether a pool is used up.");
    }

    /** The checks so far, and what they have found. */
    private static final class Diagnosis {

        private static final int CHARS_MAX = 300;

        private final Connection conn;
        private final List<Finding> findings = new ArrayList<>();
        private final List<String> failed = new ArrayList<>();

        Diagnosis(Connection conn) {
            this.conn = conn;
        }

        /** Runs a check and returns whether it succeeded and found nothing. */
        boolean run(String subject, DiagnosisCheck.Work work) throws SQLException {
            try {
                List<Finding> found = work.findings(conn);
                findings.addAll(found);
                return found.isEmpty();
            } catch (SQLException e) {
                if (SqlFailure.isConnectionLost(e)) {
                    throw e;
                }
                failed.add(subject + " (" + line(SqlFailure.deepest(e).getMessage()) + ")");
                return false;
            }
        }

        void runAll(List<DiagnosisCheck> checks) throws SQLException {
            for (DiagnosisCheck check : checks) {
                run(check.subject(), check.work());
            }
        }

        List<Finding> findings() {
            if (!failed.isEmpty()) {
                findings.add(Finding.advice(
                        FindingCode.VIEW_LIMITED,
                        "Not everything could be checked",
                        String.join("; ", failed),
                        "Grant the user the right to see it: on PostgreSQL GRANT pg_monitor, on MySQL and MariaDB GRANT PROCESS"
                                + " ON *.*."));
            }
            return List.copyOf(findings);
        }

        static String line(@Nullable String text) {
            String line = String.valueOf(text).strip().replaceAll("\\s+", " ");
            return line.length() <= CHARS_MAX ? line : line.substring(0, CHARS_MAX) + " …";
        }
    }
}
