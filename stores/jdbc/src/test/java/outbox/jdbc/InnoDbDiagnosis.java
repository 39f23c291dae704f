package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import outbox.jdbc.internal.diagnosis.DiagnosisLimits;
import outbox.jdbc.internal.diagnosis.DiagnosisLimits.DeadRows;
import outbox.jdbc.internal.diagnosis.JdbcDiagnosisStore;
import outbox.spi.TimeSource;
import outbox.spi.operations.Finding;
import outbox.spi.operations.Finding.Severity;
import outbox.spi.operations.FindingCode;
import outbox.testkit.Await;

/** What differs on MariaDB and MySQL from the other databases. */
abstract class InnoDbDiagnosis extends DiagnosisContract {

    private static final DiagnosisLimits AT_ONCE = transactionAge(Duration.ZERO);

    @Override
    void createReader(String name, String password) {
        database.execute("DROP USER IF EXISTS '" + name + "'@'%'");
        database.execute("CREATE USER '" + name + "'@'%' IDENTIFIED BY '" + password + "'");
        database.execute("GRANT SELECT ON " + name() + ".* TO '" + name + "'@'%'");
    }

    private String name() {
        String url = database.dataSource().getJdbcUrl();
        return url.substring(url.lastIndexOf('/') + 1).replaceFirst("\\?.*", "");
    }

    @Override
    void dropIndex(String name) {
        database.execute("ALTER TABLE outbox_event DROP INDEX " + name);
    }

    @Test
    void findsATransactionThatStaysOpenAndTellsNoValueOfIt() throws SQLException {
        try (Connection open = asOwner().getConnection();
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("UPDATE outbox_meta SET claim_strategy = 'a secret'");

            awaitListed("long-transaction");
            Finding finding = one(look(AT_ONCE), FindingCode.LONG_TRANSACTION);
            assertThat(finding.severity()).isEqualTo(Severity.WARNING);
            assertThat(finding.evidence()).contains("of user root").doesNotContain("secret");
            open.rollback();
        }
    }

    @Test
    void findsAPreparedTransactionThatWasLeft() throws SQLException {
        try (Connection open = asOwner().getConnection();
                Statement statement = open.createStatement()) {
            statement.execute("XA START 'left'");
            statement.execute("UPDATE outbox_meta SET claim_strategy = 'x'");
            statement.execute("XA END 'left'");
            statement.execute("XA PREPARE 'left'");
        }
        try {
            awaitListed("prepared-transaction");
        } finally {
            database.execute("XA ROLLBACK 'left'");
        }
    }

    /** InnoDB lists its transactions anew only when nobody has read the list for a tenth of a second. */
    private void awaitListed(String code) {
        Await.until("the server lists it", () -> {
            LockSupport.parkNanos(Duration.ofMillis(150).toNanos());
            return codes(look(AT_ONCE)).contains(code);
        });
    }

    @Test
    void findsAHistoryThatGrows() throws SQLException {
        DiagnosisLimits small = deadRows(new DeadRows(1, 0, Duration.ZERO, 20));
        try (Connection open = asOwner().getConnection();
                Statement statement = open.createStatement()) {
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            for (int i = 0; i < 40; i++) {
                database.execute("UPDATE outbox_meta SET holds_version = holds_version + 1");
            }
            Await.until("the server has counted", () -> codes(look(small)).contains("bloat"));
            statement.execute("ROLLBACK");
        }
    }

    @Test
    void findsThatConnectionsRunOut() throws SQLException {
        try (Connection held = asOwner().getConnection()) {
            assertThat(held.isValid(1)).isTrue();
            only(look(connectionsShare(0.01)), FindingCode.CONNECTIONS_NEARLY_USED, Severity.WARNING);
        }
    }

    @Test
    void findsThatCommitsAreNotWaitedFor() {
        database.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
        try {
            assertThat(only(look(), FindingCode.NOT_DURABLE, Severity.WARNING).evidence())
                    .isEqualTo("innodb_flush_log_at_trx_commit is 2");
        } finally {
            database.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
        }
    }

    @Test
    void findsThatNothingCanBeWritten() {
        database.execute("SET GLOBAL read_only = 1");
        try {
            only(look(), FindingCode.DATABASE_READ_ONLY, Severity.ERROR);
        } finally {
            database.execute("SET GLOBAL read_only = 0");
        }
    }

    @Test
    void findsATableWithoutTransactions() {
        database.execute("ALTER TABLE outbox_delivery ENGINE = MyISAM");

        assertThat(only(look(), FindingCode.ENGINE_WRONG, Severity.ERROR).evidence())
                .isEqualTo("table outbox_delivery is MyISAM");
    }

    @Test
    void saysWhatAUserWithoutTheRightToLookCannotSee() {
        createReader("looker", "looking");
        List<Finding> findings = new JdbcDiagnosisStore(
                        as("looker", "looking"), TableNames.DEFAULT, DiagnosisLimits.DEFAULTS, TimeSource.SYSTEM)
                .findings();

        assertThat(one(findings, FindingCode.VIEW_LIMITED).evidence()).contains("transactions of others", "PROCESS");
    }
}
