package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.jdbc.internal.sql.GuardedTransaction;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.Settlement;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleStore;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Member;

/** A node that is frozen between two statements of a settlement does not keep its slots from the others. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
abstract class SilentOwner {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);

    private TestDatabase database;
    private JdbcClusterStore cluster;

    abstract TestDatabase openDatabase();

    @BeforeEach
    void open() {
        database = openDatabase();
        new SchemaInstaller(database.connections()).install();
        cluster = new JdbcClusterStore(database.connections(), TableNames.DEFAULT);
        cluster.join(new Member("frozen", "frozen", 1, "", ""), TERMS, Duration.ofSeconds(3));
        cluster.join(new Member("other", "other", 1, "", ""), TERMS, Duration.ofMinutes(10));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void losesItsSlotAndTheOthersDoNotWaitForIt() throws Exception {
        assertThat(cluster.acquire(Set.of(0), "frozen", TERMS))
                .extracting(each -> each.ownership().epoch())
                .containsExactly(1L);
        assertThat(cluster.acquire(Set.of(1), "frozen", TERMS))
                .extracting(each -> each.ownership().epoch())
                .containsExactly(1L);
        CountDownLatch silent = new CountDownLatch(1);
        CountDownLatch thaw = new CountDownLatch(1);
        Thread frozen = Thread.ofPlatform().daemon().start(() -> settleAndFreeze(silent, thaw));
        assertThat(silent.await(20, TimeUnit.SECONDS)).isTrue();

        assertThat(takenBefore(1, TimeUnit.SECONDS.toNanos(10))).isEqualTo(2);
        assertThat(takenBefore(0, TimeUnit.SECONDS.toNanos(30))).isEqualTo(2);
        thaw.countDown();
        frozen.join();
    }

    @Test
    void losesTheEventsThatItIsAboutToSettle() throws Exception {
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        OutboxClient client = OutboxClient.storeOnly(new JdbcOutboxRepository().publisher(context));
        EventEnvelope event = EventEnvelope.ofJson("A", "{}");
        new JdbcTransactionManager(database.connections(), context).run(conn -> client.publish(event));
        ClaimStore claims = new JdbcOutboxRepository().claims(database.connections());
        assertThat(claims.claim(request("frozen", Duration.ofMillis(1)))).hasSize(1);
        CountDownLatch silent = new CountDownLatch(1);
        CountDownLatch thaw = new CountDownLatch(1);
        SettleStore store = new JdbcOutboxRepository().settlements(() -> freezing(silent, thaw));
        Thread frozen = Thread.ofPlatform().daemon().start(() -> {
            try {
                store.settle(done(new Claim(event.eventId(), "frozen")));
            } catch (RuntimeException e) {
                // Its transaction was ended behind its back, which it learns here.
            } finally {
                silent.countDown();
            }
        });
        assertThat(silent.await(20, TimeUnit.SECONDS)).isTrue();

        // PostgreSQL settles in one statement, which does not wait for its process.
        boolean free = false;
        for (long begun = System.nanoTime(); !free && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(10); ) {
            free = !frozen.isAlive()
                    || !claims.claim(request("other", Duration.ofMinutes(1))).isEmpty();
        }
        assertThat(free).as("settled, or claimed by another in time").isTrue();
        thaw.countDown();
        frozen.join();
    }

    private static ClaimRequest request(String token, Duration lease) {
        return new ClaimRequest(new ClaimTerms(token, lease), Duration.ZERO, 10, 1 << 20);
    }

    private static SettleRequest done(Claim claim) {
        SettleItem item = new SettleItem(new Settlement.Done(claim), 0, "listeners");
        return new SettleRequest(new Fence.Tokens(), "frozen", List.of(item), DoneRows.KEEP);
    }

    /** A connection whose process is frozen when it has updated an event. */
    private Connection freezing(CountDownLatch silent, CountDownLatch thaw) throws SQLException {
        Connection conn = database.dataSource().getConnection();
        return proxy(Connection.class, conn, (method, result) -> {
            if (!(result instanceof PreparedStatement update)
                    || !update.toString().contains("UPDATE")) {
                return result;
            }
            return proxy(PreparedStatement.class, update, (executed, count) -> {
                if (executed.equals("executeUpdate")) {
                    silent.countDown();
                    await(thaw);
                }
                return count;
            });
        });
    }

    private static <T> T proxy(Class<T> type, T target, BiFunction<String, Object, Object> after) {
        return type.cast(Proxy.newProxyInstance(
                SilentOwner.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return after.apply(method.getName(), method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(40, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long takenBefore(int slot, long nanos) throws InterruptedException {
        CountDownLatch pause = new CountDownLatch(1);
        long begun = System.nanoTime();
        List<AcquiredPartition> acquired = cluster.acquire(Set.of(slot), "other", TERMS);
        while (acquired.isEmpty() && System.nanoTime() - begun < nanos) {
            pause.await(50, TimeUnit.MILLISECONDS);
            acquired = cluster.acquire(Set.of(slot), "other", TERMS);
        }
        assertThat(acquired).as("slots taken in time").hasSize(1);
        return acquired.getFirst().ownership().epoch();
    }

    private void settleAndFreeze(CountDownLatch silent, CountDownLatch thaw) {
        try {
            GuardedTransaction.run(database.connections(), Dialect::of, conn -> {
                Sql.query(
                        conn,
                        "hold the slot",
                        "SELECT slot FROM outbox_slot WHERE slot = 0 "
                                + Dialect.of(conn).shareLock(),
                        statement -> {},
                        Sql::strings);
                silent.countDown();
                return freeze(conn, thaw);
            });
        } catch (RuntimeException e) {
            // Its transaction was ended behind its back, which it learns here.
        }
    }

    private static Connection freeze(Connection conn, CountDownLatch thaw) {
        await(thaw);
        return conn;
    }
}
