package outbox.jdbc;

class MySqlFencedSettleIT extends FencedSettle {

    @Override
    TestDatabase openDatabase() {
        return TestDatabase.mySql();
    }

    @Override
    String waiting() {
        return "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
    }
}
