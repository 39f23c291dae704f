package catbox.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.OutboxException;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcStores;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.PostgresWakeUpChannel;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.ThreadLocalTxContext;
import outbox.relay.WakeUpSender;
import outbox.spi.PublishStore;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUpChannel;

/** PostgreSQL. A key is a row that transactions lock. */
final class PostgresDatabase implements Database {

    private static final int CONNECTION_MILLIS_MAX = 1_000;

    private final HikariDataSource dataSource;
    private final DataSourceConnectionProvider connections;

    PostgresDatabase(String jdbcUrl, int count) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(count);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(CONNECTION_MILLIS_MAX); // Keeps waits for an unreachable database short.
        this.dataSource = new HikariDataSource(config);
        this.connections = new DataSourceConnectionProvider(dataSource);
    }

    @Override
    public void install(List<String> keys) {
        new SchemaInstaller(connections).install();
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement()) {
            statement.execute("CREATE TABLE chaos_key (key TEXT PRIMARY KEY, number BIGINT NOT NULL DEFAULT 0)");
            for (String key : keys) {
                statement.execute("INSERT INTO chaos_key (key) VALUES ('" + key + "')");
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the tables could not be set up", e);
        }
    }

    @Override
    public ClusterAdmin admin() {
        return new JdbcStores(connections).clusterAdmin();
    }

    @Override
    public List<History.Committed> committed() {
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement();
                ResultSet rows = statement.executeQuery("SELECT event_id, payload, status FROM outbox_event")) {
            List<History.Committed> all = new ArrayList<>();
            while (rows.next()) {
                Numbered event = Numbered.of(rows.getString(2));
                all.add(new History.Committed(rows.getString(1), event.key(), event.number(), rows.getInt(3)));
            }
            return all;
        } catch (SQLException e) {
            throw new IllegalStateException("what was committed could not be read", e);
        }
    }

    @Override
    public boolean isDrained() {
        return is("SELECT count(*) FROM outbox_event WHERE status IN (0, 2)", 0);
    }

    @Override
    public boolean hasPartitions(int number) {
        return is("SELECT partitions FROM outbox_meta", number);
    }

    @Override
    public OptionalLong progress() {
        return number("SELECT max(seq) FROM outbox_event");
    }

    private boolean is(String select, long wanted) {
        OptionalLong number = number(select);
        return number.isPresent() && number.getAsLong() == wanted;
    }

    /** Returns the only number of a query's result; empty while the database is unreachable. */
    private OptionalLong number(String select) {
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement();
                ResultSet row = statement.executeQuery(select)) {
            return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
        } catch (SQLException e) {
            return OptionalLong.empty();
        }
    }

    @Override
    public String describeSessions() {
        String select = "SELECT pid, state, wait_event, pg_blocking_pids(pid) AS blocked_by,"
                + " now() - xact_start AS transaction_age, client_port, left(query, 200) AS query FROM pg_stat_activity"
                + " WHERE datname IS NOT NULL ORDER BY xact_start";
        StringBuilder text = new StringBuilder();
        try (Connection conn = dataSource.getConnection();
                Statement statement = conn.createStatement();
                ResultSet rows = statement.executeQuery(select)) {
            while (rows.next()) {
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    text.append(rows.getString(i)).append(" | ");
                }
                text.append('\n');
            }
        } catch (SQLException e) {
            text.append(e);
        }
        return text.toString();
    }

    @Override
    public RelayStores stores() {
        return new JdbcStores(connections).relay();
    }

    @Override
    public WakeUpChannel channel() {
        return new PostgresWakeUpChannel(connections);
    }

    @Override
    public KeyedTransactions transactions(boolean wakes) {
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        JdbcTransactionManager transactions = new JdbcTransactionManager(connections, context);
        PublishStore store = new JdbcOutboxRepository().publisher(context);
        OutboxClient outbox =
                wakes ? new OutboxClient(store, new WakeUpSender(channel()).start()) : OutboxClient.storeOnly(store);
        return () -> {
            try {
                return new RowTransaction(transactions.begin(), outbox);
            } catch (SQLException | OutboxException e) {
                throw new KeyedTransactions.WriteFailedException(e);
            }
        };
    }

    @Override
    public void close() {
        dataSource.close();
    }

    private record RowTransaction(JdbcTransactionManager.Transaction transaction, OutboxClient outbox)
            implements KeyedTransactions.Transaction {

        @Override
        public OptionalLong take(String key, boolean wait) throws KeyedTransactions.WriteFailedException {
            String select = "SELECT number FROM chaos_key WHERE key = ? FOR UPDATE" + (wait ? "" : " SKIP LOCKED");
            try (PreparedStatement statement = transaction.connection().prepareStatement(select)) {
                statement.setString(1, key);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
                }
            } catch (SQLException e) {
                throw new KeyedTransactions.WriteFailedException(e);
            }
        }

        @Override
        public void publish(String key, List<EventEnvelope> events, long lastNumber)
                throws KeyedTransactions.WriteFailedException {
            try (PreparedStatement update =
                    transaction.connection().prepareStatement("UPDATE chaos_key SET number = ? WHERE key = ?")) {
                outbox.publishAll(events);
                update.setLong(1, lastNumber);
                update.setString(2, key);
                update.executeUpdate();
            } catch (SQLException | OutboxException e) {
                throw new KeyedTransactions.WriteFailedException(e);
            }
        }

        @Override
        public void commit() throws KeyedTransactions.WriteFailedException {
            try {
                transaction.commit();
            } catch (SQLException | OutboxException e) {
                throw new KeyedTransactions.WriteFailedException(e);
            }
        }

        @Override
        public void close() throws KeyedTransactions.WriteFailedException {
            try {
                transaction.close();
            } catch (SQLException | OutboxException e) {
                throw new KeyedTransactions.WriteFailedException(e);
            }
        }
    }
}
