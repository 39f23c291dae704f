package outbox.jdbc;

class H2LockingTest extends LockingContract {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.h2();
    }

    /** H2 locks every due row that it looks at, beyond the limit: the second claim comes back empty, but at once. */
    @Override
    int freeBesideAnotherClaim() {
        return 0;
    }
}
