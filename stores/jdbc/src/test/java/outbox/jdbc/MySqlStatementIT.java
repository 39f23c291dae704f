package outbox.jdbc;

class MySqlLockingIT extends LockingContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }
}
