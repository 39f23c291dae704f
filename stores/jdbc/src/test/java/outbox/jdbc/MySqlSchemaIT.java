package outbox.jdbc;

class MySqlSchemaIT extends SchemaContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }

    @Override
    Database kind() {
        return Database.MYSQL;
    }
}
