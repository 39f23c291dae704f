package outbox.jdbc;

class H2OperatorStatementsTest extends OperatorStatements {
    @Override
    TestDatabase openDatabase() {
        return TestDatabase.h2();
    }
}
