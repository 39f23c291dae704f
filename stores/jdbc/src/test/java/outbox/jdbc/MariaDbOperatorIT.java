package outbox.jdbc;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import outbox.testkit.OperatorContract;
import outbox.testkit.OperatorFixture;

class MariaDbOperatorIT extends OperatorContract {

    private static TestDatabase database;

    @BeforeAll
    static void open() {
        database = TestDatabase.mariaDb();
    }

    @AfterAll
    static void close() {
        if (database != null) {
            database.close();
        }
    }

    @Override
    protected OperatorFixture openStore() {
        return JdbcStoreFixture.open(database);
    }
}
