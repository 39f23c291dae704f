package outbox.jdbc;

import java.sql.SQLException;
import java.sql.Statement;

class MySqlRelayLargeTableIT extends RelayLargeTable {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }

    @Override
    long rowsScanned(Statement statement) throws SQLException {
        return LargeTable.number(statement, "SHOW SESSION STATUS LIKE 'Handler_read_rnd_next'", "Value")
                + LargeTable.number(statement, "SHOW SESSION STATUS LIKE 'Handler_read_next'", "Value");
    }
}
