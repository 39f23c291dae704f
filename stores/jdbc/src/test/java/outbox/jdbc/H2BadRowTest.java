package outbox.jdbc;

class H2BadRowTest extends BadRowContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.h2();
    }

    @Override
    String allowNull(String column) {
        return "ALTER TABLE outbox_event ALTER COLUMN " + column + " DROP NOT NULL";
    }
}
