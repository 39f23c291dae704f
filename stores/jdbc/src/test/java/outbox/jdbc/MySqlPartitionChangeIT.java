package outbox.jdbc;

class MySqlPartitionChangeIT extends PartitionChange {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }
}
