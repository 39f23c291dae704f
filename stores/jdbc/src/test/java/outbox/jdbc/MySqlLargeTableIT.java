package outbox.jdbc;

import java.sql.SQLException;
import java.sql.Statement;

class MySqlLargeTableIT extends LargeTable {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }

    @Override
    long rowsScanned(Statement statement) throws SQLException {
        return number(statement, "SHOW SESSION STATUS LIKE 'Handler_read_rnd_next'", "Value")
                + number(statement, "SHOW SESSION STATUS LIKE 'Handler_read_next'", "Value")
                + number(statement, "SHOW SESSION STATUS LIKE 'Handler_read_prev'", "Value");
    }
}
