package outbox.mongodb;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import outbox.testkit.simulation.RealStore;
import outbox.testkit.simulation.RealStoreSimulation;

class MongoSimulationIT extends RealStoreSimulation {

    private static TestMongo mongo;

    MongoSimulationIT() {
        super(24);
    }

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
    protected RealStore openStore() {
        return MongoRealStore.open(mongo);
    }
}
