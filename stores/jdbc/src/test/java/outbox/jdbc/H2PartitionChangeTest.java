package outbox.jdbc;

class H2PartitionChangeTest extends PartitionChange {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.h2();
    }

    @Override
    boolean hasIndexes() {
        return false;
    }
}
