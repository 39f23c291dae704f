package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterView.MemberState;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.testkit.Await;

/** A server that is started again has ended all connections, and with them all locks: that is evidence of nothing. */
@Timeout(120)
abstract class RestartedServer {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Member NODE = new Member("session-of-node", "node", 1, "", "");
    private static final Member OTHER = new Member("session-of-other", "other", 1, "", "");

    abstract DatabaseServer start();

    @Test
    void isNoEvidenceAgainstNodesThatHaveNotConnectedAnewYet() throws Exception {
        try (DatabaseServer server = start();
                TestDatabase database = TestDatabase.on(server);
                JdbcClusterStore other = new JdbcClusterStore(database.connections())) {
            JdbcClusterStore node = new JdbcClusterStore(database.connections());
            new SchemaInstaller(database.connections()).install();
            node.join(NODE, TERMS, TIMEOUT);
            other.join(OTHER, TERMS, TIMEOUT);
            beat(node, NODE);
            beat(other, OTHER);

            awaitLaterStart(database); // The server is known by the second of its start.
            server.stop();
            server.start();
            database.dataSource().getHikariPoolMXBean().softEvictConnections();

            for (int n = 0; n < 5; n++) {
                assertThat(seenBy(other).connectionEnded()).isFalse();
                assertThat(other.endDisconnected(NODE.session(), Duration.ZERO)).isFalse();
            }
            beat(node, NODE);
            assertThat(seenBy(other).connectionEnded()).isFalse();

            node.close();
            awaitSeenToEnd(other);
        }
    }

    private static void awaitLaterStart(TestDatabase database) {
        Await.until("the server has run for two seconds", Duration.ofSeconds(20), () -> {
            try (Connection conn = database.connections().getConnection();
                    Statement statement = conn.createStatement();
                    ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Uptime'")) {
                return row.next() && row.getLong(2) >= 2;
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void awaitSeenToEnd(JdbcClusterStore other) throws InterruptedException {
        CountDownLatch pause = new CountDownLatch(1);
        long begun = System.nanoTime();
        while (!seenBy(other).connectionEnded()) {
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(20));
            pause.await(10, TimeUnit.MILLISECONDS);
        }
    }

    private static MemberState seenBy(JdbcClusterStore other) {
        beat(other, OTHER);
        return other.heartbeat(heartbeat(OTHER)).orElseThrow().state(NODE);
    }

    private static void beat(JdbcClusterStore store, Member member) {
        assertThat(store.heartbeat(heartbeat(member))).isPresent();
    }

    private static Heartbeat heartbeat(Member member) {
        return new Heartbeat(member.session(), TIMEOUT, Duration.ofSeconds(1), true);
    }
}
