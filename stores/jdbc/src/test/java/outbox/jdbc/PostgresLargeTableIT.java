package outbox.jdbc;

import java.sql.SQLException;
import java.sql.Statement;

class PostgresLargeTableIT extends LargeTable {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.postgres();
    }

    @Override
    void analyze(TestDatabase filled) {
        filled.execute("VACUUM ANALYZE outbox_event");
    }

    @Override
    long rowsScanned(Statement statement) throws SQLException {
        // A session reports what it did at most once a second unless it is told to.
        statement.execute("SELECT pg_stat_force_next_flush()");
        return number(
                statement,
                "SELECT seq_tup_read + idx_tup_fetch AS n FROM pg_stat_user_tables WHERE relname = 'outbox_event'",
                "n");
    }
}
