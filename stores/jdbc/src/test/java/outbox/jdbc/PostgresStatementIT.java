package outbox.jdbc;

class PostgresLockingIT extends LockingContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.postgres();
    }
}
