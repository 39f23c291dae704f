package outbox.jdbc;

class MySqlCorpusIT extends CorpusContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }
}
