package catbox.demo;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import outbox.Outbox;
import outbox.OutboxConfig;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcStores;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.ThreadLocalTxContext;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.operations.ChangedEvents;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.Selection;

/** Shows an order and its event: stored together, delivered, retried, dead, replayed. */
public final class OutboxDemo {

    private static final long PATIENCE_SECONDS = 10;

    // Referenced here, because the logging framework forgets the level of an unreferenced logger.
    private static final Logger OUTBOX_LOG = Logger.getLogger("outbox");

    private final PrintStream out;
    private final DataSource dataSource;
    private final DataSourceConnectionProvider connections;
    private final OperatorStore operator;
    private final MailServer mail = new MailServer();
    private final BlockingQueue<String> attempts = new LinkedBlockingQueue<>();

    private OutboxDemo(PrintStream out, DataSource dataSource) {
        this.out = out;
        this.dataSource = dataSource;
        this.connections = new DataSourceConnectionProvider(dataSource);
        this.operator = new JdbcStores(connections).operations();
    }

    public static void main(String[] args) throws Exception {
        run(System.out);
    }

    static void run(PrintStream out) throws Exception {
        OUTBOX_LOG.setLevel(Level.OFF); // The demo's own output describes the same events.
        JdbcConnectionPool pool =
                JdbcConnectionPool.create("jdbc:h2:mem:demo-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        try {
            new OutboxDemo(out, pool).print();
        } finally {
            pool.dispose();
        }
    }

    private void print() throws Exception {
        execute("CREATE TABLE orders (id INT PRIMARY KEY, item VARCHAR(100))");
        // tag::wiring[]
        new SchemaInstaller(connections).install();
        ThreadLocalTxContext txContext = new ThreadLocalTxContext();
        try (Outbox outbox = JdbcOutbox.builder(dataSource, txContext)
                .config(new OutboxConfig().setRetryMaxAttempts(3).setRetryBaseDelayMs(20))
                .on("OrderPlaced", event -> {
                    attempts.add(event.eventId());
                    mail.send(event.eventId());
                })
                .build()) {
            JdbcTransactionManager transactions = new JdbcTransactionManager(connections, txContext);
            OrderService orders = new OrderService(transactions, outbox.client());
            // end::wiring[]

            out.println("Catbox: an order and its event, on H2 in memory");
            out.println();
            storedAndDelivered(orders);
            rolledBack(orders);
            String dead = retriedAndDead(orders);
            replayed(dead, outbox);
        }
        out.println();
        out.println("Every committed event arrived. Read on in README.md.");
    }

    private void storedAndDelivered(OrderService orders) throws Exception {
        out.println("1. An order is placed");
        String eventId = orders.place(1001, "coffee");
        long committed = System.nanoTime();
        out.println("   committed  order 1001 and event " + eventId + ", in one transaction");
        attempts.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        long micros = (System.nanoTime() - committed) / 1_000;
        out.printf("   delivered  on the hot path, no poll needed; seen here %.1f ms after commit%n", micros / 1000.0);
        out.println("   settled    " + await(eventId, EventStatus.DONE).status());
    }

    private void rolledBack(OrderService orders) throws SQLException {
        out.println("2. A card is refused");
        try {
            orders.placeAndRefuse(1002, "tea");
        } catch (OrderService.CardRefused e) {
            out.println("   rolled back: " + count("orders WHERE id = 1002") + " orders 1002, "
                    + count("outbox_event WHERE payload LIKE '%1002%'") + " events about it");
        }
    }

    private String retriedAndDead(OrderService orders) throws Exception {
        out.println("3. The mail server breaks down");
        mail.breakDown();
        String eventId = orders.place(1003, "biscuits");
        out.println("   committed  order 1003 and event " + eventId);
        for (int attempt = 1; attempt <= 3; attempt++) {
            attempts.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            out.println(
                    "   attempt " + attempt + "  failed" + (attempt < 3 ? ", tried again after a growing pause" : ""));
        }
        OutboxEvent event = await(eventId, EventStatus.DEAD);
        out.println("   settled    " + event.status() + " after " + event.attempts() + " attempts: "
                + event.state().lastError());
        return eventId;
    }

    private void replayed(String eventId, Outbox outbox) throws Exception {
        out.println("4. It is repaired, and the dead event is replayed");
        mail.repair();
        Selection dead = new Selection.Matching(
                EventFilter.ALL.withState(EventFilter.State.DEAD).withEventType("OrderPlaced"));
        ChangedEvents replayed =
                operator.replay(dead, null, 100, new OperatorAction("anna", "the mail server is repaired"));
        out.println("   replayed   " + replayed.eventIds().size() + " dead event");
        outbox.wake();
        out.println("   settled    " + await(eventId, EventStatus.DONE).status());
    }

    private OutboxEvent await(String eventId, EventStatus status) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        OutboxEvent event = operator.find(eventId).orElseThrow();
        while (event.status() != status && System.nanoTime() < deadline) {
            Thread.onSpinWait();
            event = operator.find(eventId).orElseThrow();
        }
        return event;
    }

    private int count(String what) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + what)) {
            row.next();
            return row.getInt(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
