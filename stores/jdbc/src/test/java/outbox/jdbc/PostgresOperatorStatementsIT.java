package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import outbox.spi.operations.OperatorStore.SearchIndexes;
import outbox.testkit.Await;

class PostgresOperatorStatementsIT extends OperatorStatements {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.postgres();
    }

    @Test
    void anIndexWhoseMakingBrokeOffIsMadeAnew() {
        try (TestDatabase database = openDatabase()) {
            SchemaInstaller installer = new SchemaInstaller(database.connections());
            installer.install();
            installer.createSearchIndexes();
            database.execute("UPDATE pg_index SET indisvalid = false"
                    + " WHERE indexrelid = 'outbox_event_search_key'::regclass");
            assertThat(installer.searchIndexes()).isEqualTo(new SearchIndexes(false, true));
            installer.createSearchIndexes();
            assertThat(installer.searchIndexes()).isEqualTo(new SearchIndexes(true, true));
        }
    }

    /** One that is being made looks like one whose making broke off, and must not be taken for it. */
    @Test
    void leavesAnIndexAloneThatSomebodyIsMaking() throws Exception {
        try (TestDatabase database = openDatabase();
                Connection writing = database.dataSource().getConnection()) {
            SchemaInstaller installer = new SchemaInstaller(database.connections());
            installer.install();
            writing.setAutoCommit(false);
            try (Statement statement = writing.createStatement()) {
                statement.execute("LOCK TABLE outbox_event IN ROW EXCLUSIVE MODE"); // The making waits for its end.
            }
            CompletableFuture<Void> making = CompletableFuture.runAsync(() -> installer.createSearchIndexes());
            String broken = "SELECT count(*) AS n FROM pg_stat_progress_create_index p JOIN pg_index i"
                    + " ON i.indexrelid = p.index_relid WHERE NOT i.indisvalid";
            Await.until("an index is being made", () -> count(database, broken) == 1);

            assertThatThrownBy(() -> installer.createSearchIndexes())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another process is building outbox_event_search_key right now");

            writing.rollback();
            making.get(30, TimeUnit.SECONDS);
            assertThat(installer.searchIndexes()).isEqualTo(new SearchIndexes(true, true));
        }
    }

    private static long count(TestDatabase database, String sql) {
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement()) {
            return LargeTable.number(statement, sql, "n");
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
