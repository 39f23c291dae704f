package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.jdbc.internal.sql.GuardedTransaction;
import outbox.jdbc.internal.sql.Sql;
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
        cluster = new JdbcClusterStore(database.connections());
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
        try {
            thaw.await(40, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return conn;
    }
}
