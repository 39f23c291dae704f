package outbox.spring;

import java.util.List;
import java.util.function.LongConsumer;
import org.springframework.transaction.PlatformTransactionManager;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.spi.PublishStore;

/** Tables on the shared PostgreSQL. */
record TableStore(
        TestDatabase database,
        PlatformTransactionManager transactions,
        LongConsumer writer,
        Runnable closing,
        SpringTxContext txContext)
        implements TransactionContract.TestStore {

    TableStore(TestDatabase database, PlatformTransactionManager transactions, LongConsumer writer, Runnable closing) {
        this(database, transactions, writer, closing, new SpringTxContext(database.dataSource));
    }

    @Override
    public PublishStore publishStore() {
        return new JdbcOutboxRepository().publisher(txContext);
    }

    @Override
    public void afterRollback(Runnable callback) {
        txContext.afterRollback(callback);
    }

    @Override
    public void write(long id) {
        writer.accept(id);
    }

    @Override
    public List<String> business() {
        return database.business();
    }

    @Override
    public List<String> stored() {
        return database.stored();
    }

    @Override
    public void empty() {
        database.empty();
    }

    @Override
    public void close() {
        closing.run();
        database.close();
    }
}
