package outbox.jdbc;

class MariaDbBadRowIT extends BadRowContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mariaDb();
    }

    @Override
    String allowNull(String column) {
        return nullable(column);
    }
}
