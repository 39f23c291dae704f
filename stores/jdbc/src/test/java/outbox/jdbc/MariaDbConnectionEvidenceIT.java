package outbox.jdbc;

class MariaDbConnectionEvidenceIT extends ConnectionEvidence {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mariaDb();
    }
}
