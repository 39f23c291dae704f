package outbox.jdbc;

class MariaDbCorpusIT extends CorpusContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mariaDb();
    }
}
