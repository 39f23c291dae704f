package outbox.jdbc;

import javax.sql.DataSource;
import outbox.Outbox;
import outbox.spi.ConnectionProvider;
import outbox.spi.TxContext;

/** Builds an outbox on a DataSource. */
public final class JdbcOutbox {

    private JdbcOutbox() {}

    /** An outbox in the table {@code outbox_event}, for transactions that the context knows. */
    public static Outbox.Builder builder(DataSource dataSource, TxContext txContext) {
        return builder(new DataSourceConnectionProvider(dataSource), txContext, TableNames.DEFAULT);
    }

    public static Outbox.Builder builder(
            ConnectionProvider connectionProvider, TxContext txContext, TableNames tables) {
        JdbcOutboxRepository repository = new JdbcOutboxRepository(tables);
        return Outbox.builder(
                repository.publisher(txContext),
                repository.claims(connectionProvider),
                repository.settlements(connectionProvider));
    }
}
