package outbox.jdbc;

class MariaDbOperatorStatementsIT extends OperatorStatements {
    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mariaDb();
    }
}
