package outbox.mongodb;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import outbox.testkit.StoreContract;
import outbox.testkit.StoreFixture;

class MongoStoreIT extends StoreContract {

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
