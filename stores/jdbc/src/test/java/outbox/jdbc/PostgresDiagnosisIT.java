package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.PostgresServer;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import outbox.jdbc.internal.diagnosis.DiagnosisLimits;
import outbox.jdbc.internal.diagnosis.DiagnosisLimits.DeadRows;
import outbox.jdbc.internal.diagnosis.JdbcDiagnosisStore;
import outbox.spi.TimeSource;
import outbox.spi.operations.Finding;
import outbox.spi.operations.Finding.Severity;
import outbox.spi.operations.FindingCode;
import outbox.testkit.Await;

class PostgresDiagnosisIT extends DiagnosisContract {

    private static final DiagnosisLimits AT_ONCE = transactionAge(Duration.ZERO);
    private static DatabaseServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start(Map.of("max_prepared_transactions", "5"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.on(server);
    }

    @Override
    String nobodysUrl() {
        return "jdbc:postgresql://127.0.0.1:1/nothing";
    }

    @Override
    void createReader(String name, String password) {
        database.execute("DROP ROLE IF EXISTS " + name);
        database.execute("CREATE ROLE " + name + " LOGIN PASSWORD '" + password + "'");
        database.execute("GRANT pg_read_all_data TO " + name);
    }

    @Override
    void dropIndex(String name) {
        database.execute("DROP INDEX " + name);
    }

    private void publish(int events) {
        database.execute("INSERT INTO outbox_event (event_id, event_type, key_hash, status, occurred_at, available_at,"
                + " created_at) SELECT 'e' || n, 'A', n, 0, now(), now(), now() FROM generate_series(1, " + events
                + ") n");
    }

    @Test
    void findsThatTheSequenceMayNotBeAsked() {
        database.execute("DROP ROLE IF EXISTS without_sequence");
        database.execute("CREATE ROLE without_sequence LOGIN PASSWORD 'secret'");
        database.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO without_sequence");
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.dataSource().getJdbcUrl());
            pool.setUsername("without_sequence");
            pool.setPassword("secret");
            assertThat(new JdbcDiagnosisStore(
                                    new DataSourceConnectionProvider(pool),
                                    TableNames.DEFAULT,
                                    DiagnosisLimits.DEFAULTS,
                                    TimeSource.SYSTEM)
                            .findings())
                    .filteredOn(finding -> finding.is(FindingCode.RIGHTS_MISSING))
                    .extracting(Finding::evidence)
                    .containsExactly("user without_sequence has no USAGE on sequence public.outbox_event_seq_seq");
        }
        database.execute("DROP OWNED BY without_sequence");
    }

    @Test
    void findsAnIndexWithAnotherCondition() {
        dropIndex("outbox_event_due");
        database.execute("CREATE INDEX outbox_event_due ON outbox_event (available_at, seq)");

        assertThat(only(look(), FindingCode.INDEX_WRONG, Severity.ERROR).evidence())
                .endsWith("and should be (available_at, seq) where status 0 2");
    }

    @Test
    void findsAnIndexWhoseMakingBrokeOff() {
        publish(2);
        try {
            database.execute("CREATE UNIQUE INDEX CONCURRENTLY half ON outbox_event (event_type)");
        } catch (IllegalStateException twoEventsOfOneType) {
            // It leaves the index behind, as every failure of this statement does.
        }

        assertThat(only(look(), FindingCode.INDEX_INVALID, Severity.ERROR).advice())
                .contains("REINDEX INDEX CONCURRENTLY half");
    }

    @Test
    void findsATransactionThatStaysOpenAndTellsNoValueOfIt() throws SQLException {
        try (Connection open = asOwner().getConnection();
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("SELECT count(*) FROM outbox_event WHERE event_type = 'a secret'");

            assertThat(look()).as("not yet long").isEmpty();
            Finding finding = only(look(AT_ONCE), FindingCode.LONG_TRANSACTION, Severity.WARNING);
            assertThat(finding.evidence())
                    .contains("of user postgres", "idle in transaction", "begins SELECT count")
                    .doesNotContain("secret");
        }
    }

    @Test
    void findsAPreparedTransactionThatWasLeft() throws SQLException {
        try (Connection open = asOwner().getConnection();
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("UPDATE outbox_meta SET holds_version = holds_version");
            statement.execute("PREPARE TRANSACTION 'left behind'");
        }
        try {
            assertThat(one(look(AT_ONCE), FindingCode.PREPARED_TRANSACTION).evidence())
                    .contains("left behind of user postgres");
        } finally {
            database.execute("ROLLBACK PREPARED 'left behind'");
        }
    }

    @Test
    void findsAReplicationSlotThatNobodyReads() {
        database.execute("SELECT pg_create_physical_replication_slot('forgotten', true)");
        try {
            database.execute("CREATE TABLE something_to_log (id INT)");

            assertThat(look()).as("not yet far behind").isEmpty();
            Finding finding = only(
                    look(limits(Duration.ofMinutes(5), 0.9, DiagnosisLimits.DEFAULTS.deadRows(), 0)),
                    FindingCode.REPLICATION_SLOT_BEHIND,
                    Severity.WARNING);
            assertThat(finding.evidence()).startsWith("slot forgotten, not in use, keeps ");
        } finally {
            database.execute("SELECT pg_drop_replication_slot('forgotten')");
        }
    }

    @Test
    void findsDeadRowsAndThatNobodyVacuumsThem() throws SQLException {
        database.execute("ALTER TABLE outbox_event SET (autovacuum_enabled = off)");
        publish(100);
        // A session that ends tells the server's statistics at once what it did; others take their time.
        try (Connection own = asOwner().getConnection();
                Statement statement = own.createStatement()) {
            statement.execute("UPDATE outbox_event SET attempts = 1");
            statement.execute("DELETE FROM outbox_event");
        }
        DiagnosisLimits small = deadRows(new DeadRows(50, 0, Duration.ofMinutes(15), 1_000_000));

        Await.until("the server has counted", () -> codes(look(small)).contains("bloat"));
        assertThat(one(look(small), FindingCode.BLOAT).evidence())
                .matches("\\d+ dead rows next to \\d+ live ones, last vacuumed: never");
        assertThat(only(look(), FindingCode.AUTOVACUUM_OFF, Severity.WARNING).evidence())
                .isEqualTo("table outbox_event has autovacuum_enabled=off");

        database.execute("VACUUM outbox_event");
        Await.until("the vacuum counts", () -> !codes(look(small)).contains("bloat"));
    }

    @Test
    void findsThatConnectionsRunOut() throws SQLException {
        try (Connection held = asOwner().getConnection()) {
            assertThat(held.isValid(1)).isTrue();
            Finding finding = only(look(connectionsShare(0.02)), FindingCode.CONNECTIONS_NEARLY_USED, Severity.WARNING);
            assertThat(finding.evidence()).endsWith(" of 97");
        }
    }

    @Test
    void findsThatCommitsAreNotWaitedFor() {
        database.execute("ALTER DATABASE " + name() + " SET synchronous_commit = off");

        assertThat(only(look(), FindingCode.NOT_DURABLE, Severity.WARNING).evidence())
                .isEqualTo("synchronous_commit is off");
    }

    @Test
    void findsThatNothingCanBeWritten() {
        database.execute("ALTER DATABASE " + name() + " SET default_transaction_read_only = on");

        only(look(), FindingCode.DATABASE_READ_ONLY, Severity.ERROR);
    }

    private String name() {
        String url = database.dataSource().getJdbcUrl();
        return url.substring(url.lastIndexOf('/') + 1);
    }

    @Test
    void saysWhatAUserWithoutTheRightToLookCannotSee() throws SQLException {
        createReader("looker", "looking");
        try (Connection other = asOwner().getConnection()) {
            assertThat(other.isValid(1)).isTrue();
            List<Finding> findings = new JdbcDiagnosisStore(
                            as("looker", "looking"), TableNames.DEFAULT, DiagnosisLimits.DEFAULTS, TimeSource.SYSTEM)
                    .findings();

            assertThat(one(findings, FindingCode.VIEW_LIMITED).severity()).isEqualTo(Severity.ADVICE);
            database.execute("GRANT pg_monitor TO looker");
            assertThat(codes(new JdbcDiagnosisStore(
                                    as("looker", "looking"),
                                    TableNames.DEFAULT,
                                    DiagnosisLimits.DEFAULTS,
                                    TimeSource.SYSTEM)
                            .findings()))
                    .containsExactly("rights-missing");
        }
    }
}
