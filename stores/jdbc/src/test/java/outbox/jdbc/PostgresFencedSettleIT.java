package outbox.jdbc;

class PostgresFencedSettleIT extends FencedSettle {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.postgres();
    }

    @Override
    String waiting() {
        return "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    }
}
