package catbox.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.devservices.DatabaseServer;
import catbox.devservices.PostgresServer;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxConfig;
import outbox.OutboxException;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.ThreadLocalTxContext;

/** The database may be killed at any time: committed events arrive without a restart of the application. */
class DatabaseOutageIT {

    private final ThreadLocalTxContext context = new ThreadLocalTxContext();
    private final Set<String> delivered = ConcurrentHashMap.newKeySet();
    private final CountDownLatch atTheListener = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private DatabaseServer server;
    private Deliveries database;
    private JdbcTransactionManager transactions;

    @BeforeEach
    void start() {
        server = PostgresServer.start();
        database = new Deliveries(server.jdbcUrl(), server.user());
        DataSourceConnectionProvider connections = new DataSourceConnectionProvider(database.dataSource());
        database.dataSource().setConnectionTimeout(500);
        new SchemaInstaller(connections).install();
        transactions = new JdbcTransactionManager(connections, context);
    }

    @AfterEach
    void stop() {
        database.close();
        server.close();
    }

    @Test
    void everyLoopSurvivesARestartOfTheDatabase() throws Exception {
        try (Outbox outbox = JdbcOutbox.builder(database.dataSource(), context)
                .config(new OutboxConfig().setPollerIntervalMs(50).setClaimLeaseMs(2_000))
                .on("Blocking", event -> {
                    atTheListener.countDown();
                    goOn.await();
                    delivered.add(event.eventId());
                })
                .onAll(event -> delivered.add(event.eventId()))
                .build()) {
            String before = publish(outbox, "Plain");
            String during = publish(outbox, "Blocking");
            assertThat(atTheListener.await(60, TimeUnit.SECONDS)).isTrue();
            server.kill();
            assertThatThrownBy(() -> publish(outbox, "Plain"))
                    .isInstanceOfAny(SQLException.class, OutboxException.class);
            goOn.countDown(); // Delivered while there is no database to settle it in.
            server.start();
            Deliveries.await("the pool has connections again", this::isReachable);
            String after = publish(outbox, "Plain");
            database.awaitAllDone();

            assertThat(delivered).contains(before, during, after);
            assertThat(database.number("SELECT count(*) FROM outbox_event")).isEqualTo(3);
        }
    }

    private boolean isReachable() {
        try {
            return database.number("SELECT 1") == 1;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private String publish(Outbox outbox, String type) throws Exception {
        EventEnvelope event = EventEnvelope.ofJson(type, "{}");
        transactions.run(conn -> outbox.publish(event));
        return event.eventId();
    }
}
