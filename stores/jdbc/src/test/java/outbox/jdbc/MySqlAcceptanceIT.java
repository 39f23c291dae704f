package outbox.jdbc;

class MySqlAcceptanceIT extends OutboxAcceptance {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }
}
