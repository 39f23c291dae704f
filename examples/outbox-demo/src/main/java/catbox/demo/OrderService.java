package catbox.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.JdbcTransactionManager;

/** Shows a typical application: it stores its data and publishes its event in one transaction. */
final class OrderService {

    private final JdbcTransactionManager transactions;
    private final OutboxClient outbox;

    OrderService(JdbcTransactionManager transactions, OutboxClient outbox) {
        this.transactions = transactions;
        this.outbox = outbox;
    }

    // tag::publish[]
    String place(int orderId, String item) throws SQLException {
        EventEnvelope placed = EventEnvelope.builder("OrderPlaced")
                .aggregateType("Order")
                .aggregateId("order-" + orderId)
                .payloadJson("{\"orderId\":" + orderId + ",\"item\":\"" + item + "\"}")
                .build();
        transactions.run(connection -> {
            insertOrder(connection, orderId, item);
            outbox.publish(placed); // Stored in the same transaction; delivered once it has committed.
        });
        return placed.eventId();
    }
    // end::publish[]

    /** The customer's card is refused after the order and its event were written: neither may remain. */
    void placeAndRefuse(int orderId, String item) throws SQLException {
        transactions.run(connection -> {
            insertOrder(connection, orderId, item);
            outbox.publish(EventEnvelope.ofJson("OrderPlaced", "{\"orderId\":" + orderId + "}"));
            throw new CardRefused();
        });
    }

    /** Ends the business transaction. */
    static final class CardRefused extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static void insertOrder(Connection connection, int orderId, String item) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (id, item) VALUES (?, ?)")) {
            insert.setInt(1, orderId);
            insert.setString(2, item);
            insert.executeUpdate();
        }
    }
}
