package outbox.jdbc;

class MariaDbSchemaIT extends SchemaContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mariaDb();
    }

    @Override
    Database kind() {
        return Database.MARIADB;
    }
}
