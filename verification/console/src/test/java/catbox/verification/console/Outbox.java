package catbox.verification.console;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.TableNames;
import outbox.jdbc.ThreadLocalTxContext;
import outbox.model.EventStatus;

/** An application's side of a source: it publishes, and waits for what becomes of it. */
final class Outbox {

    /** In the payload of every event that is to die, and in no id or time of it. */
    static final String SECRET = "the card of a customer";

    private static final int CHECKS = 600;
    private static final long PAUSE_MILLIS = 50;

    private final String url;
    private final TableNames tables;
    private final ThreadLocalTxContext context = new ThreadLocalTxContext();
    private final Map<String, String> prepared = new HashMap<>();

    Outbox(String url, String table) {
        this.url = url;
        this.tables = new TableNames(table);
    }

    /** What was prepared under a name, if need be now. */
    String once(String name, Supplier<String> prepare) {
        return prepared.computeIfAbsent(name, each -> prepare.get());
    }

    /** Publishes an event of a key, and returns its id. */
    String publish(String type, String key, String payload) {
        return publish(
                type, builder -> builder.aggregateType("Order").aggregateId(key).payloadJson(payload));
    }

    String publish(String type, UnaryOperator<EventEnvelope.Builder> more) {
        EventEnvelope event = more.apply(EventEnvelope.builder(type)).build();
        OutboxClient client = OutboxClient.storeOnly(new JdbcOutboxRepository(tables).publisher(context));
        try {
            new JdbcTransactionManager(this::connect, context).run(connection -> client.publish(event));
        } catch (SQLException e) {
            throw new IllegalStateException("not published: " + event, e);
        }
        return event.eventId();
    }

    String publishDead(String key, String why) {
        String id = publish("OrderPlaced", key, "{\"refuse\":\"" + why + "\",\"card\":\"" + SECRET + "\"}");
        await(id, EventStatus.DEAD);
        return id;
    }

    void await(String eventId, EventStatus status) {
        CountDownLatch never = new CountDownLatch(1);
        try {
            for (int check = 0; check < CHECKS; check++) {
                if (status(eventId) == status.code()) {
                    return;
                }
                never.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError(eventId + " did not become " + status.name().toLowerCase(Locale.ROOT));
    }

    /** Minus one when there is no such event. */
    int status(String eventId) {
        return number("select status from " + tables.event() + " where event_id = ?", eventId);
    }

    private int number(String sql, String parameter) {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, parameter);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getInt(1) : -1;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url, "postgres", "");
    }
}
