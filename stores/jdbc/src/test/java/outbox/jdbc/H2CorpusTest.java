package outbox.jdbc;

class H2CorpusTest extends CorpusContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.h2();
    }
}
