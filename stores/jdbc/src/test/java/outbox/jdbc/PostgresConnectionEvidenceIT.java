package outbox.jdbc;

class PostgresConnectionEvidenceIT extends ConnectionEvidence {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.postgres();
    }
}
