package outbox.mongodb;

import catbox.simulation.RealStore;
import catbox.simulation.RealStoreSimulation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

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
