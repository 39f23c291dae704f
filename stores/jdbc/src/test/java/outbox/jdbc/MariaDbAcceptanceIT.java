package outbox.jdbc;

class MariaDbAcceptanceIT extends OutboxAcceptance {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mariaDb();
    }
}
