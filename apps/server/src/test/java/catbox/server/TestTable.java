package catbox.server;

import catbox.devservices.DatabaseServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.TableNames;
import outbox.jdbc.ThreadLocalTxContext;

/** An application's side of a table: it stores events, and looks what became of them. */
public final class TestTable {

    private final String url;
    private final String user;
    private final TableNames tables;
    private final ThreadLocalTxContext context = new ThreadLocalTxContext();

    public TestTable(DatabaseServer server, String url, String table) {
        this(url, server.user(), table);
    }

    TestTable(String url, String user, String table) {
        this.url = url;
        this.user = user;
        this.tables = new TableNames(table);
    }

    public void publish(EventEnvelope event) throws SQLException {
        publishAll(List.of(event));
    }

    /** Stores all of them in one transaction. */
    public void publishAll(List<EventEnvelope> events) throws SQLException {
        OutboxClient client = OutboxClient.storeOnly(new JdbcOutboxRepository(tables).publisher(context));
        new JdbcTransactionManager(this::connect, context).run(connection -> events.forEach(client::publish));
    }

    public void publish(String type, String key, String payload) throws SQLException {
        publish(EventEnvelope.builder(type)
                .aggregateId(key)
                .payloadJson(payload)
                .build());
    }

    /** How many events have a status. */
    public int count(int status) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT count(*) FROM " + tables.event() + " WHERE status = " + status)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Waits until so many events are done. */
    public void awaitDone(int events) {
        Eventually.happens(events + " events are done", () -> count(1) == events);
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url, user, "");
    }
}
