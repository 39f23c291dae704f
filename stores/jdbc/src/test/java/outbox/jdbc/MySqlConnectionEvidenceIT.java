package outbox.jdbc;

class MySqlConnectionEvidenceIT extends ConnectionEvidence {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }
}
