package outbox.jdbc.internal.diagnosis;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import outbox.spi.operations.Finding;

/** H2 runs inside an application, so its server has little to report. */
public record H2Checks() implements ServerChecks {

    @Override
    public List<Finding> readOnly(Connection conn) throws SQLException {
        boolean readOnly = DiagnosisCheck.query(conn, "SELECT READONLY()", row -> row.getBoolean(1))
                .get(0);
        return readOnly ? List.of(ServerChecks.readOnly("it is opened for reading only")) : List.of();
    }

    @Override
    public List<DiagnosisCheck> others() {
        return List.of();
    }

    @Override
    public List<DiagnosisCheck> ofTables() {
        return List.of();
    }

    @Override
    public List<String> missingRights(Connection conn) {
        return List.of();
    }
}
