package outbox.jdbc;

class PostgresSilentOwnerIT extends SilentOwner {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.postgres();
    }
}
