package outbox.jdbc;

class PostgresSchemaIT extends SchemaContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.postgres();
    }

    @Override
    Database kind() {
        return Database.POSTGRESQL;
    }
}
