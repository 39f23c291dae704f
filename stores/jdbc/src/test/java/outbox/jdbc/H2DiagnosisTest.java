package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.jdbc.internal.diagnosis.DiagnosisCheck;
import outbox.jdbc.internal.diagnosis.DiagnosisLimits;
import outbox.jdbc.internal.diagnosis.JdbcDiagnosisStore;
import outbox.spi.ConnectionProvider;
import outbox.spi.TimeSource;
import outbox.spi.operations.Finding.Severity;
import outbox.spi.operations.FindingCode;

class H2DiagnosisTest extends DiagnosisContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.h2();
    }

    @Override
    String nobodysUrl() {
        return "jdbc:h2:tcp://127.0.0.1:1/nothing";
    }

    /** Only its owner may say when it closes. */
    @Override
    String loginUrl(String url) {
        return url.replace(";DB_CLOSE_DELAY=-1", "");
    }

    @Override
    void createReader(String name, String password) {
        database.execute("CREATE USER " + name + " PASSWORD '" + password + "'");
        database.execute("GRANT SELECT ON SCHEMA PUBLIC TO " + name);
    }

    @Override
    void dropIndex(String name) {
        database.execute("DROP INDEX " + name);
    }

    @Test
    void findsADatabaseThatIsOpenForReadingOnly(@TempDir Path folder) throws SQLException {
        String url = "jdbc:h2:" + folder.resolve("outbox");
        ConnectionProvider writing = () -> DriverManager.getConnection(url, "sa", "");
        new SchemaInstaller(writing).install();
        try (Connection conn = writing.getConnection()) {
            conn.createStatement().execute("SHUTDOWN");
        }

        ConnectionProvider reading = () -> DriverManager.getConnection(url + ";ACCESS_MODE_DATA=r", "sa", "");
        only(
                new JdbcDiagnosisStore(reading, TableNames.DEFAULT, DiagnosisLimits.DEFAULTS, TimeSource.SYSTEM)
                        .findings(),
                FindingCode.DATABASE_READ_ONLY,
                Severity.ERROR);
    }

    @Test
    void leavesAConnectionOfAPoolWithoutALimitOfTime() throws SQLException {
        try (Connection pooled = database.connections().getConnection()) {
            DiagnosisCheck.query(pooled, "SELECT 1", row -> row.getInt(1));
            DiagnosisCheck.execute(pooled, "SELECT 1");

            assertThat(pooled.createStatement().getQueryTimeout()).isZero();
        }
    }
}
