package outbox.jdbc;

class PostgresCorpusIT extends CorpusContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.postgres();
    }
}
