package outbox.jdbc;

class MariaDbSilentOwnerIT extends SilentOwner {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mariaDb();
    }
}
