package outbox.mongodb;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import outbox.testkit.OperatorContract;
import outbox.testkit.OperatorFixture;

class MongoOperatorIT extends OperatorContract {

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
    protected OperatorFixture openStore() {
        return MongoStoreFixture.open(mongo);
    }
}
