package outbox.jdbc;

class MariaDbFencedSettleIT extends FencedSettle {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mariaDb();
    }

    @Override
    String waiting() {
        return "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
    }
}
