package outbox.jdbc;

class MySqlSilentOwnerIT extends SilentOwner {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }
}
