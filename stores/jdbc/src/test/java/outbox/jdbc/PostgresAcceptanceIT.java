package outbox.jdbc;

class PostgresAcceptanceIT extends OutboxAcceptance {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.postgres();
    }
}
