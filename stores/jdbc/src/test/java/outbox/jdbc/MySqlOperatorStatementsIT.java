package outbox.jdbc;

class MySqlOperatorStatementsIT extends OperatorStatements {
    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }
}
