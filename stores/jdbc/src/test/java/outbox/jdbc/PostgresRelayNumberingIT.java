package outbox.jdbc;

import catbox.contract.RelayNumberingContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import outbox.testkit.StoreFixture;

class PostgresRelayNumberingIT extends RelayNumberingContract {

    private static TestDatabase database;

    @BeforeAll
    static void open() {
        database = TestDatabase.postgres();
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
