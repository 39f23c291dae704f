package outbox.jdbc;

class MariaDbPartitionChangeIT extends PartitionChange {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mariaDb();
    }
}
