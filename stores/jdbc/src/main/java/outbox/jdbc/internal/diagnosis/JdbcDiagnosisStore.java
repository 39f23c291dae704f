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
import outbox.spi.TimeSource;
import outbox.spi.operations.DiagnosisStore;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;

/**
 * Looks for faults of the tables, of the database that holds them, and of what others do there. Everything is read from
 * catalogues and figures that the database keeps anyway; of events only those are read that have a status or a hash that
 * is not allowed. No row is changed, and each statement has two seconds.
 *
 * <p>Of other people's transactions it tells who runs them, for how long, and the first words of their statement up to
 * the first character that belongs to no name, so that no value is among them.
 */
public final class JdbcDiagnosisStore implements DiagnosisStore {

    private final ConnectionProvider connectionProvider;
    private final TableNames tables;
    private final DiagnosisLimits limits;
    private final InstantSource clock;

    public JdbcDiagnosisStore(ConnectionProvider connectionProvider) {
        this(connectionProvider, TableNames.DEFAULT);
    }

    public JdbcDiagnosisStore(ConnectionProvider connectionProvider, TableNames tables) {
        this(connectionProvider, tables, DiagnosisLimits.DEFAULTS, TimeSource.SYSTEM);
    }

    /** With other limits than usual, and the clock of the machine that is compared with the database's. */
    public JdbcDiagnosisStore(
            ConnectionProvider connectionProvider, TableNames tables, DiagnosisLimits limits, InstantSource clock) {
        this.connectionProvider = connectionProvider;
        this.tables = tables;
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public List<Finding> findings() {
        try (Connection conn = connectionProvider.getConnection()) {
            boolean autoCommit = conn.getAutoCommit();
            conn.setAutoCommit(true); // So that a look that fails takes no other with it.
            try {
                return looked(conn);
            } finally {
                conn.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            return List.of(unreachable(e));
        } catch (OutboxException e) {
            return List.of(unreachable(e)); // Of a provider that has words of its own.
        }
    }

    private List<Finding> looked(Connection conn) throws SQLException {
        Dialect dialect = Dialect.of(conn);
        Diagnosis diagnosis = new Diagnosis(conn);
        diagnosis.look(new ClockCheck(dialect, clock, limits.clockSkew()).look());
        ServerChecks server = dialect.checks(tables, limits);
        boolean writable = diagnosis.look(new DiagnosisCheck("whether it can be written to", server::readOnly));
        diagnosis.lookAll(server.others());
        if (diagnosis.look(new TablesCheck(tables).look())) {
            if (diagnosis.look(new IndexCheck(dialect, tables).look())) {
                diagnosis.look(new StrayRowCheck(dialect, tables).look());
            }
            diagnosis.lookAll(server.ofTables());
            if (writable) {
                diagnosis.look(new RightsCheck(tables, server).look());
            }
        }
        return diagnosis.findings();
    }

    private static Finding unreachable(Exception e) {
        SQLException told = e instanceof SQLException sql
                ? SqlFailure.deepest(sql)
                : e.getCause() instanceof SQLException sql ? SqlFailure.deepest(sql) : new SQLException(e.getMessage());
        String said = Diagnosis.line(told.getMessage());
        return SqlFailure.isRefusedLogin(told)
                ? Finding.error(
                        FindingCode.CREDENTIALS_REFUSED,
                        "The database refuses the user or the password",
                        said,
                        "Check both, and whether this user may enter the database from this machine.")
                : Finding.error(
                        FindingCode.DATABASE_UNREACHABLE,
                        "No connection to the database can be had",
                        said,
                        "See whether it runs, whether host, port and name are right, and whether a pool is used up.");
    }

    /** The looks so far, and what they have found. */
    private static final class Diagnosis {

        private static final int WORDS_MAX = 300;

        private final Connection conn;
        private final List<Finding> findings = new ArrayList<>();
        private final List<String> unseen = new ArrayList<>();

        Diagnosis(Connection conn) {
            this.conn = conn;
        }

        /** Looks, and says whether nothing was found. */
        boolean look(DiagnosisCheck look) throws SQLException {
            try {
                List<Finding> found = look.work().on(conn);
                findings.addAll(found);
                return found.isEmpty();
            } catch (SQLException e) {
                if (SqlFailure.isConnectionLost(e)) {
                    throw e;
                }
                unseen.add(look.at() + " (" + line(SqlFailure.deepest(e).getMessage()) + ")");
                return false;
            }
        }

        void lookAll(List<DiagnosisCheck> looks) throws SQLException {
            for (DiagnosisCheck look : looks) {
                look(look);
            }
        }

        List<Finding> findings() {
            if (!unseen.isEmpty()) {
                findings.add(Finding.advice(
                        FindingCode.VIEW_LIMITED,
                        "Not everything could be looked at",
                        String.join("; ", unseen),
                        "Give the user the right to look, if you want to be told: " + HOW_TO_GRANT));
            }
            return List.copyOf(findings);
        }

        private static final String HOW_TO_GRANT =
                "on PostgreSQL GRANT pg_monitor, on MySQL and MariaDB GRANT PROCESS ON *.*.";

        static String line(@Nullable String text) {
            String line = String.valueOf(text).strip().replaceAll("\\s+", " ");
            return line.length() <= WORDS_MAX ? line : line.substring(0, WORDS_MAX) + " …";
        }
    }
}
