package outbox.jdbc;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import outbox.testkit.StoreContract;
import outbox.testkit.StoreFixture;

class MariaDbStoreIT extends StoreContract {

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
    protected StoreFixture openStore() {
        return JdbcStoreFixture.open(database);
    }
}
