package outbox.jdbc;

class MySqlStatementIT extends StatementContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }
}
