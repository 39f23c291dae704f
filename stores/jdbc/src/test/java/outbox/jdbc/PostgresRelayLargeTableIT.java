package outbox.jdbc;

import java.sql.SQLException;
import java.sql.Statement;

class PostgresRelayLargeTableIT extends RelayLargeTable {

    /** Seen while it was empty, as after a quiet night, and not since: every partial index looks empty. */
    @Override
    TestDatabase openDatabase() {
        TestDatabase database = TestDatabase.postgres();
        new SchemaInstaller(database.connections()).install();
        database.execute("ALTER TABLE outbox_event SET (autovacuum_enabled = false)");
        database.execute("VACUUM ANALYZE outbox_event");
        return database;
    }

    @Override
    void analyze(TestDatabase filled) {
        filled.execute("VACUUM ANALYZE outbox_event");
    }

    @Override
    long rowsScanned(Statement statement) throws SQLException {
        // A session reports what it did at most once a second unless it is told to.
        statement.execute("SELECT pg_stat_force_next_flush()");
        return LargeTable.number(
                statement,
                "SELECT seq_tup_read + idx_tup_fetch AS n FROM pg_stat_user_tables WHERE relname = 'outbox_event'",
                "n");
    }
}
