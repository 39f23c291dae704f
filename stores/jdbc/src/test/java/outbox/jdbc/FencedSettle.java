package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.jdbc.internal.sql.Micros;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;

/**
 * A settle and a takeover that meet: whoever has the slot's row first makes the other wait, and a late settle changes
 * nothing. A takeover and a beat that meet: the takeover waits, and takes nothing from a node whose beat is written.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
abstract class FencedSettle {

    /** What is settled. Some databases have a statement of their own for the first two. */
    enum Batch {
        DONE,
        DONE_AND_DELETED,
        MIXED
    }

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);

    private static final SettleResult ALL_WRITTEN = SettleResult.allWritten(3);

    private TestDatabase database;
    private PartitionOwnership hold;
    private List<String> ids;

    abstract TestDatabase openDatabase();

    /** A query that counts the transactions which wait for a lock. */
    abstract String waiting();

    @BeforeEach
    void acquire() throws SQLException {
        database = openDatabase();
        new SchemaInstaller(database.connections()).install();
        JdbcClusterStore cluster = new JdbcClusterStore(database.connections());
        cluster.join(new Member("session", "node", 1, "test", "here"), TERMS, Duration.ofMinutes(10));
        hold = cluster.acquire(Set.of(0), "session", TERMS).getFirst().ownership();
        ids = publish(3);
    }

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Batch.class)
    void aSettleThatMeetsATakeoverWaitsForItAndThenChangesNothing(Batch batch) throws Exception {
        try (Connection takeover = transaction()) {
            takeOver(takeover);
            CompletableFuture<SettleResult> settle = async(() -> settle(batch));
            awaitEndOrWaiters(settle, 1);
            takeover.commit();

            assertThat(settle.get(30, TimeUnit.SECONDS)).isEqualTo(new SettleResult.Fenced());
        }
        assertThat(query("SELECT status FROM outbox_event")).containsExactly("0", "0", "0");
        assertThat(query("SELECT error FROM outbox_attempt")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Batch.class)
    void aSettleThatMeetsATakeoverWhichIsRolledBackIsWritten(Batch batch) throws Exception {
        try (Connection takeover = transaction()) {
            takeOver(takeover);
            CompletableFuture<SettleResult> settle = async(() -> settle(batch));
            awaitEndOrWaiters(settle, 1);
            takeover.rollback();

            assertThat(settle.get(30, TimeUnit.SECONDS)).isEqualTo(ALL_WRITTEN);
        }
        assertThat(query("SELECT status FROM outbox_event WHERE status = 0")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Batch.class)
    void aTakeoverWaitsForASettleThatHasPassedItsFence(Batch batch) throws Exception {
        try (Connection other = transaction();
                Connection takeover = transaction()) {
            try (Statement statement = other.createStatement()) {
                statement
                        .executeQuery("SELECT * FROM outbox_event WHERE event_id = '" + ids.get(1) + "' FOR UPDATE")
                        .close();
            }
            CompletableFuture<SettleResult> settle = async(() -> settle(batch));
            awaitEndOrWaiters(settle, 1);
            assertThat(settle).isNotDone();
            CompletableFuture<List<String>> seenByNewOwner = async(() -> {
                takeOver(takeover);
                commit(takeover);
                return query("SELECT status FROM outbox_event WHERE status = 0");
            });
            awaitEndOrWaiters(seenByNewOwner, 2);

            assertThat(seenByNewOwner).isNotDone();
            other.rollback();
            assertThat(settle.get(30, TimeUnit.SECONDS)).isEqualTo(ALL_WRITTEN);
            assertThat(seenByNewOwner.get(30, TimeUnit.SECONDS)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTakeoverThatMeetsABeatWaitsForItAndRespectsIt(boolean beatIsWritten) throws Exception {
        JdbcClusterStore cluster = new JdbcClusterStore(database.connections());
        cluster.join(new Member("other", "other", 1, "test", "there"), TERMS, Duration.ofMinutes(10));
        try (Connection conn = transaction()) {
            expireIn(conn, Duration.ofSeconds(-1));
            conn.commit();
            expireIn(conn, Duration.ofMinutes(10));
            CompletableFuture<List<AcquiredPartition>> takeover =
                    async(() -> cluster.acquire(Set.of(0), "other", TERMS));
            awaitEndOrWaiters(takeover, 1);
            if (beatIsWritten) {
                conn.commit();
            } else {
                conn.rollback();
            }

            assertThat(takeover.get(30, TimeUnit.SECONDS))
                    .extracting(each -> each.ownership().epoch())
                    .isEqualTo(beatIsWritten ? List.of() : List.of(hold.epoch() + 1));
        }
    }

    private static void expireIn(Connection conn, Duration time) throws SQLException {
        String sql = "UPDATE outbox_node SET expires_at = " + Dialect.of(conn).nowPlus("?")
                + " WHERE session_id = 'session'";
        try (PreparedStatement statement = conn.prepareStatement(sql)) {
            statement.setLong(1, Micros.of(time));
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }

    private SettleResult settle(Batch batch) {
        List<SettleItem> items = new ArrayList<>();
        for (String id : ids) {
            Claim claim = new Claim(id, hold.token());
            boolean fails = batch == Batch.MIXED && id.equals(ids.get(2));
            Settlement settlement =
                    fails ? new Settlement.Retry(claim, Duration.ofHours(1), "broken") : new Settlement.Done(claim);
            items.add(new SettleItem(settlement, 0, "there"));
        }
        DoneRows doneRows = batch == Batch.DONE_AND_DELETED ? DoneRows.DELETE : DoneRows.KEEP;
        return new JdbcPartitionStore(database.connections())
                .settle(new SettleRequest(new Fence.Ownership(hold), "node", items, doneRows));
    }

    private static void takeOver(Connection conn) {
        try (Statement statement = conn.createStatement()) {
            statement.execute("UPDATE outbox_slot SET owner = 'other', epoch = epoch + 1 WHERE slot = 0");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void commit(Connection conn) {
        try {
            conn.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private int waiters() {
        return Integer.parseInt(query(waiting()).get(0));
    }

    private List<String> query(String sql) {
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return Sql.strings(rows);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    // Asks now and then only: InnoDB shows anew who waits when nobody has asked for a tenth of a second.
    private void awaitEndOrWaiters(CompletableFuture<?> work, int waiters) throws Exception {
        for (int looks = 0; looks < 50; looks++) {
            try {
                work.get(150, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException stillAtIt) {
                if (waiters() == waiters) {
                    return;
                }
            }
        }
        throw new AssertionError("waited in vain for " + waiters + " to wait");
    }

    private static <T> CompletableFuture<T> async(Supplier<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(work.get());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private Connection transaction() throws SQLException {
        Connection conn = database.dataSource().getConnection();
        conn.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        conn.setAutoCommit(false);
        return conn;
    }

    private List<String> publish(int count) throws SQLException {
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        OutboxClient client = OutboxClient.storeOnly(new JdbcOutboxRepository().publisher(context));
        List<EventEnvelope> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(EventEnvelope.ofJson("A", "{}"));
        }
        new JdbcTransactionManager(database.connections(), context).run(conn -> client.publishAll(events));
        return events.stream().map(EventEnvelope::eventId).sorted().toList();
    }
}
