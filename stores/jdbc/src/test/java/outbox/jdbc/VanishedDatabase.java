package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.devservices.DatabaseServer;
import catbox.devservices.FaultyProxy;
import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.StoreUnavailableException;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.Settlement;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.TimeSource;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;
import outbox.testkit.Stopwatch;

/** A database that vanishes without a word, as behind a network that drops packets: noticed before the lease ends. */
@Timeout(60)
abstract class VanishedDatabase {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    /** A tenth before the time-out, a node's own lease ends. */
    private static final Duration LEASE = TIMEOUT.multipliedBy(9).dividedBy(10);

    private static final Member MEMBER = new Member("session-1", "node", 1, "", "");

    private FaultyProxy proxy;
    private HikariDataSource pool;
    private JdbcClusterStore cluster;
    private JdbcPartitionStore relay;
    private PartitionOwnership hold;

    abstract DatabaseServer server();

    @BeforeEach
    void open() {
        DatabaseServer server = server();
        String url = server.createDatabase("vanished_" + System.nanoTime());
        int port = URI.create(url.substring("jdbc:".length())).getPort();
        proxy = FaultyProxy.to(port);
        pool = new HikariDataSource();
        pool.setJdbcUrl(url.replace(":" + port, ":" + proxy.port()));
        pool.setUsername(server.user());
        pool.setPassword(server.password());
        pool.setConnectionTimeout(1_000);
        DataSourceConnectionProvider connections = new DataSourceConnectionProvider(pool);
        new SchemaInstaller(connections).install();
        cluster = new JdbcClusterStore(
                () -> DriverManager.getConnection(pool.getJdbcUrl(), server.user(), server.password()));
        relay = new JdbcPartitionStore(connections, TableNames.DEFAULT, TimeSource.SYSTEM, TIMEOUT);
        cluster.join(MEMBER, TERMS, Duration.ofMinutes(1));
        hold = cluster.acquire(Set.of(0), MEMBER.session(), TERMS).getFirst().ownership();
        beat();
        settle();
    }

    @AfterEach
    void close() {
        proxy.close();
        cluster.close();
        pool.close();
    }

    private void beat() {
        assertThat(cluster.heartbeat(Heartbeat.of(MEMBER.session(), TIMEOUT))).isPresent();
    }

    // Of an event that there is not: the fence is looked at all the same.
    private void settle() {
        Claim claim = new Claim("no-such-event", "");
        relay.settle(new SettleRequest(
                new Fence.Ownership(hold),
                "node",
                List.of(new SettleItem(new Settlement.Done(claim), 0, "there")),
                DoneRows.KEEP));
    }

    @Test
    void aHeartbeatNoticesItBeforeTheLeaseEnds() {
        proxy.swallow();

        assertThat(timeToFail(this::beat)).isLessThan(LEASE);
    }

    @Test
    void aSettlementNoticesItBeforeTheLeaseEnds() {
        proxy.swallow();

        assertThat(timeToFail(this::settle)).isLessThan(LEASE.plusMillis(300));
    }

    @ParameterizedTest
    @ValueSource(strings = {"claim", "claim one", "renew", "settle", "release"})
    void aDispatcherNoticesItBeforeItsClaimsExpire(String call) {
        ClaimTerms terms = new ClaimTerms("token", TIMEOUT);
        Claim claim = new Claim("no-such-event", "token");
        ClaimRequest request = new ClaimRequest(terms, Duration.ZERO, 10, 1 << 20);
        JdbcStores stores = new JdbcStores(pool);
        ClaimStore claims = stores.claims();
        SettleRequest done = new SettleRequest(
                new Fence.Tokens(),
                "node",
                List.of(new SettleItem(new Settlement.Done(claim), 0, "there")),
                DoneRows.KEEP,
                List.of(),
                true);
        Map<String, Runnable> calls = Map.of(
                "claim", () -> claims.claim(request),
                "claim one", () -> claims.claimOne("no-such-event", terms),
                "renew", () -> claims.renew(Set.of(claim), TIMEOUT),
                "settle", () -> stores.settlements().settle(done),
                "release", () -> claims.release(Set.of(claim)));
        claims.claim(request);
        proxy.swallow();

        assertThat(timeToFail(Objects.requireNonNull(calls.get(call)))).isLessThan(LEASE.plusMillis(300));
    }

    @Test
    void allIsWellWhenTheDatabaseIsBack() {
        proxy.swallow();
        timeToFail(this::beat);
        proxy.pass();
        // As after a while, for the pool has connections of which it does not know yet that they are lost.
        cluster.join(new Member("session-2", "node", 1, "", ""), null, Duration.ofMinutes(1));
        assertThat(cluster.heartbeat(Heartbeat.of("session-2", TIMEOUT))).isPresent();
    }

    @Test
    void aConnectionThatIsResetIsReplacedAtOnce() {
        proxy.reset();

        beat();
    }

    private static Duration timeToFail(Runnable action) {
        return Stopwatch.time(() -> assertThatThrownBy(action::run).isInstanceOf(StoreUnavailableException.class));
    }
}
