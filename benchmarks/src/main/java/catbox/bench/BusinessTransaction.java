package catbox.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.function.LongConsumer;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.internal.KeyHash;
import outbox.internal.Ulids;
import outbox.jdbc.JdbcTransactionManager;

/** One business transaction, with and without its event. */
interface BusinessTransaction {

    void run(long number) throws SQLException;

    /** The business row alone: one insert. */
    static BusinessTransaction plain(JdbcTransactionManager transactions) {
        return number -> transactions.run(conn -> insertOrder(conn, number));
    }

    /** The business row and a hand-written insert of the event, into the same table with the same content. */
    static BusinessTransaction rawInsert(JdbcTransactionManager transactions) {
        return number -> transactions.run(conn -> {
            insertOrder(conn, number);
            insertEvent(conn, number);
        });
    }

    /** The business row and a published event. */
    static BusinessTransaction publish(JdbcTransactionManager transactions, OutboxClient outbox) {
        return publish(transactions, outbox, number -> {});
    }

    static BusinessTransaction publish(
            JdbcTransactionManager transactions, OutboxClient outbox, LongConsumer committed) {
        return number -> {
            transactions.run(conn -> {
                insertOrder(conn, number);
                outbox.publish(event(number));
            });
            committed.accept(number);
        };
    }

    static EventEnvelope event(long number) {
        return event("OrderPlaced", number);
    }

    static EventEnvelope event(String type, long number) {
        return EventEnvelope.builder(type)
                .aggregateType("Order")
                .aggregateId("order-" + number % 1_000)
                .header("no", Long.toString(number))
                .payloadJson(PAYLOAD)
                .build();
    }

    /** A JSON document of 500 bytes. */
    String PAYLOAD = "{\"text\":\"" + "x".repeat(489) + "\"}";

    static void insertOrder(Connection conn, long number) throws SQLException {
        try (PreparedStatement insert = conn.prepareStatement("INSERT INTO orders (no, item) VALUES (?, ?)")) {
            insert.setLong(1, number);
            insert.setString(2, "a pound of coffee and a box of biscuits");
            insert.executeUpdate();
        }
    }

    private static void insertEvent(Connection conn, long number) throws SQLException {
        String key = "order-" + number % 1_000;
        try (PreparedStatement insert = conn.prepareStatement(
                "INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, ordering_key, key_hash,"
                        + " payload, headers, status, occurred_at, available_at, created_at)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, now(), now(), now())")) {
            insert.setString(1, Ulids.SYSTEM.next());
            insert.setString(2, "OrderPlaced");
            insert.setString(3, "Order");
            insert.setString(4, key);
            insert.setString(5, key);
            insert.setInt(6, KeyHash.of(key));
            insert.setString(7, PAYLOAD);
            insert.setString(8, "{\"no\":\"" + number + "\"}");
            insert.executeUpdate();
        }
    }
}
