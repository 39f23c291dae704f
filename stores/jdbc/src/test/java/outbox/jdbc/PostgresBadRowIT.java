package outbox.jdbc;

class PostgresBadRowIT extends BadRowContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.postgres();
    }

    @Override
    String allowNull(String column) {
        return "ALTER TABLE outbox_event ALTER COLUMN " + column + " DROP NOT NULL";
    }
}
