package outbox.jdbc;

class MariaDbLockingIT extends LockingContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mariaDb();
    }
}
