package outbox.mongodb;

import catbox.contract.RelayNumberingContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import outbox.testkit.StoreFixture;

class MongoRelayNumberingIT extends RelayNumberingContract {

    private static TestMongo mongo;

    @BeforeAll
    static void open() {
        mongo = TestMongo.open();
    }

    @AfterAll
    static void close() {
        if (mongo != null) {
            mongo.close();
        }
    }

    @Override
    protected StoreFixture openStore() {
        return MongoStoreFixture.open(mongo);
    }
}
