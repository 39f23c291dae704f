package outbox.jdbc;

class H2AcceptanceTest extends OutboxAcceptance {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.h2();
    }
}
