package outbox.jdbc;

class PostgresStatementIT extends StatementContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.postgres();
    }
}
