package outbox.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import outbox.spi.AdminStore;
import outbox.spi.DispatchStore;
import outbox.spi.JdbcDispatchStore;
import outbox.spi.JdbcPublishStore;
import outbox.spi.PublishStore;
import outbox.spi.RetentionStore;
import outbox.spi.StatisticsStore;
import outbox.testkit.StoreFixture;

/** The JDBC store on a test database, emptied each time it is opened. */
final class JdbcStoreFixture implements StoreFixture {

    private final TestDatabase database;
    private final JdbcOutboxRepository repository = new JdbcOutboxRepository();

    private JdbcStoreFixture(TestDatabase database) {
        this.database = database;
    }

    static JdbcStoreFixture open(TestDatabase database) {
        new SchemaInstaller(database.connections()).install();
        database.execute("DELETE FROM outbox_event");
        database.execute("UPDATE outbox_meta SET claim_strategy = NULL");
        return new JdbcStoreFixture(database);
    }

    @Override
    public Session newSession() {
        return new JdbcSession();
    }

    @Override
    public DispatchStore dispatchStore() {
        return new JdbcDispatchStore(database.connections(), repository);
    }

    @Override
    public AdminStore adminStore() {
        return new JdbcAdminStore(database.connections());
    }

    @Override
    public StatisticsStore statisticsStore() {
        return new JdbcStatisticsStore(database.connections());
    }

    @Override
    public RetentionStore retentionStore() {
        return new JdbcRetentionStore(database.connections());
    }

    @Override
    public void corruptHeaders(String eventId, String headersText) {
        database.execute("UPDATE outbox_event SET headers = '" + headersText.replace("'", "''") + "' WHERE event_id = '"
                + eventId + "'");
    }

    @Override
    public void close() {}

    private final class JdbcSession implements Session {

        private final ThreadLocalTxContext context = new ThreadLocalTxContext();
        private final JdbcTransactionManager manager = new JdbcTransactionManager(database.connections(), context);
        private JdbcTransactionManager.@Nullable Transaction transaction;

        @Override
        public PublishStore store() {
            return new JdbcPublishStore(context, repository);
        }

        @Override
        public void begin() {
            try {
                transaction = manager.begin();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void commit() {
            try {
                current().commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void rollback() {
            try {
                current().rollback();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            try {
                if (transaction != null) {
                    transaction.close();
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        private JdbcTransactionManager.Transaction current() {
            if (transaction == null) {
                throw new IllegalStateException("begin first");
            }
            return transaction;
        }
    }
}
