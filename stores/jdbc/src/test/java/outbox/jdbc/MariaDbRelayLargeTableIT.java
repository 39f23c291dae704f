package outbox.jdbc;

import java.sql.SQLException;
import java.sql.Statement;

class MariaDbRelayLargeTableIT extends RelayLargeTable {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mariaDb();
    }

    @Override
    long rowsScanned(Statement statement) throws SQLException {
        return LargeTable.number(statement, "SHOW SESSION STATUS LIKE 'Handler_read_rnd_next'", "Value")
                + LargeTable.number(statement, "SHOW SESSION STATUS LIKE 'Handler_read_next'", "Value");
    }
}
