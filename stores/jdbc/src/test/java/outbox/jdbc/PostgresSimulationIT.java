package outbox.jdbc;

import catbox.simulation.RealStore;
import catbox.simulation.RealStoreSimulation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresSimulationIT extends RealStoreSimulation {

    private static TestDatabase database;

    PostgresSimulationIT() {
        super(20);
    }

    @BeforeAll
    static void open() {
        database = TestDatabase.postgres();
        PostgresRealStore.prepare(database);
    }

    @AfterAll
    static void close() {
        if (database != null) {
            database.close();
        }
    }

    @Override
    protected RealStore openStore() {
        return PostgresRealStore.open(database);
    }
}
