package outbox.jdbc;

class MySqlBadRowIT extends BadRowContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }

    @Override
    String allowNull(String column) {
        return nullable(column);
    }
}
