package outbox.jdbc;

class H2StatementTest extends StatementContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.h2();
    }
}
