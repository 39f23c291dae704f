package outbox.jdbc;

class MariaDbStatementIT extends StatementContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mariaDb();
    }
}
