package outbox.jdbc;

class H2SchemaTest extends SchemaContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.h2();
    }

    @Override
    Database kind() {
        return Database.H2;
    }
}
