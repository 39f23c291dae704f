package outbox.jdbc;

class H2FencedSettleTest extends FencedSettle {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.h2();
    }

    @Override
    String waiting() {
        return "SELECT COUNT(*) FROM information_schema.sessions WHERE blocker_id IS NOT NULL";
    }
}
