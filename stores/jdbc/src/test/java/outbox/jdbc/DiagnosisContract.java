package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.jdbc.internal.diagnosis.DiagnosisLimits;
import outbox.jdbc.internal.diagnosis.JdbcDiagnosisStore;
import outbox.jdbc.internal.relay.JdbcClusterAdmin;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.jdbc.internal.schema.Migration;
import outbox.spi.ConnectionProvider;
import outbox.spi.operations.Finding;
import outbox.spi.operations.Finding.Severity;
import outbox.spi.operations.FindingCode;

/** The doctor's look into a database finds each fault that is made there, and nothing where all is well. */
abstract class DiagnosisContract {

    TestDatabase database;

    abstract TestDatabase openDatabase();

    /** A URL of this kind of database at which nobody answers. */
    abstract String nobodysUrl();

    /** The URL of a database for those who log in with a password. */
    String loginUrl(String url) {
        return url;
    }

    /** Makes a user that may read the outbox, and no more. */
    abstract void createReader(String name, String password);

    @BeforeEach
    void open() {
        database = openDatabase();
        installer().install();
    }

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    SchemaInstaller installer() {
        return new SchemaInstaller(database.connections());
    }

    // ---- looks ---------------------------------------------------------------------------------------------------

    /** A new connection for each look, so that settings made by now hold in it. */
    ConnectionProvider as(String user, String password) {
        String url = loginUrl(database.dataSource().getJdbcUrl());
        return () -> DriverManager.getConnection(url, user, password);
    }

    ConnectionProvider asOwner() {
        return as(database.dataSource().getUsername(), database.dataSource().getPassword());
    }

    List<Finding> look() {
        return look(DiagnosisLimits.DEFAULTS);
    }

    List<Finding> look(DiagnosisLimits limits) {
        return new JdbcDiagnosisStore(asOwner(), TableNames.DEFAULT, limits, InstantSource.system()).findings();
    }

    static List<String> codes(List<Finding> findings) {
        return findings.stream().map(Finding::code).toList();
    }

    static Finding only(List<Finding> findings, FindingCode code, Severity severity) {
        assertThat(codes(findings)).containsExactly(code.label());
        assertThat(findings.get(0).severity()).isEqualTo(severity);
        return findings.get(0);
    }

    static Finding one(List<Finding> findings, FindingCode code) {
        assertThat(codes(findings)).contains(code.label());
        return findings.stream().filter(finding -> finding.is(code)).findFirst().orElseThrow();
    }

    // ---- every database ------------------------------------------------------------------------------------------

    @Test
    void findsNothingWhereAllIsWell() {
        assertThat(look()).isEmpty();
        assertThat(new JdbcDiagnosisStore(database.connections()).findings()).isEmpty();
    }

    @Test
    void findsNothingWhereTheSearchIndexesAreAndTheNumberOfPartitionsIsAnother() {
        installer().createSearchIndexes();
        new JdbcClusterAdmin(database.connections()).changePartitions(9, "test");
        new JdbcClusterStore(database.connections()).repartition();

        assertThat(look()).isEmpty();
    }

    @Test
    void findsThatNobodyAnswers() {
        ConnectionProvider nobody = () -> DriverManager.getConnection(nobodysUrl(), "a", "b");

        Finding finding =
                only(new JdbcDiagnosisStore(nobody).findings(), FindingCode.DATABASE_UNREACHABLE, Severity.ERROR);
        assertThat(finding.evidence()).isNotBlank();
    }

    @Test
    void findsThatTheLoginIsRefused() {
        List<Finding> findings = new JdbcDiagnosisStore(as("stranger", "guessed")).findings();

        assertThat(only(findings, FindingCode.CREDENTIALS_REFUSED, Severity.ERROR)
                        .evidence())
                .doesNotContain("guessed");
    }

    @Test
    void findsThatThereAreNoTables() {
        for (String table : TableNames.DEFAULT.all()) {
            database.execute("DROP TABLE " + table);
        }

        assertThat(only(look(), FindingCode.TABLES_MISSING, Severity.ERROR).evidence())
                .contains("no outbox_event", "no outbox_audit");
    }

    @Test
    void findsASingleTableThatIsMissing() {
        database.execute("DROP TABLE outbox_attempt");

        assertThat(only(look(), FindingCode.TABLES_MISSING, Severity.ERROR).evidence())
                .isEqualTo("there is no outbox_attempt");
    }

    @Test
    void findsTablesOfAnOlderVersion() {
        database.execute("UPDATE outbox_meta SET schema_version = 3");

        assertThat(only(look(), FindingCode.SCHEMA_OLDER, Severity.ERROR).evidence())
                .isEqualTo("table outbox_event is of version 3, and this library needs " + Migration.LATEST + ".");
    }

    @Test
    void findsTablesOfANewerVersion() {
        database.execute("UPDATE outbox_meta SET schema_version = 99");

        only(look(), FindingCode.SCHEMA_NEWER, Severity.ERROR);
    }

    abstract void dropIndex(String name);

    @Test
    void findsAnIndexThatIsMissing() {
        dropIndex("outbox_event_due");

        assertThat(only(look(), FindingCode.INDEX_MISSING, Severity.ERROR).evidence())
                .contains("outbox_event_due", "available_at, seq");
    }

    @Test
    void findsAnIndexOnOtherColumns() {
        dropIndex("outbox_event_settled");
        database.execute("CREATE INDEX outbox_event_settled ON outbox_event (done_at, created_at)");

        assertThat(only(look(), FindingCode.INDEX_WRONG, Severity.ERROR).evidence())
                .contains("is (done_at, created_at)", "should be (status, done_at, created_at)");
    }

    @Test
    void findsThatAUserMayOnlyRead() throws SQLException {
        createReader("reader", "reading");

        Finding finding = one(new JdbcDiagnosisStore(as("reader", "reading")).findings(), FindingCode.RIGHTS_MISSING);
        assertThat(finding.severity()).isEqualTo(Severity.ERROR);
        assertThat(finding.evidence())
                .containsIgnoringCase("user reader")
                .contains("UPDATE on outbox_event", "DELETE on outbox_event", "INSERT on outbox_audit");
    }

    @Test
    void findsThatTheClocksDiffer() {
        InstantSource ahead = () -> Instant.now().plus(Duration.ofMinutes(3));

        List<Finding> findings =
                new JdbcDiagnosisStore(asOwner(), TableNames.DEFAULT, DiagnosisLimits.DEFAULTS, ahead).findings();
        assertThat(only(findings, FindingCode.CLOCK_SKEW, Severity.WARNING).evidence())
                .startsWith("the database's is 1")
                .endsWith(" s behind this machine's");
    }
}
