package outbox.jdbc;

import catbox.contract.RelayNumberingContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import outbox.testkit.StoreFixture;

class MySqlRelayNumberingIT extends RelayNumberingContract {

    private static TestDatabase database;

    @BeforeAll
    static void open() {
        database = TestDatabase.mySql();
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
