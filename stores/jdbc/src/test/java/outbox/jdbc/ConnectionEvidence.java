package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.spi.ConnectionProvider;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.ClusterView.MemberState;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;

/** The end of a node's connection is seen by the other nodes, and a live node has another one with its next heartbeat. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
abstract class ConnectionEvidence {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Member NODE = new Member("session-of-node", "node", 1, "", "");
    private static final Member OTHER = new Member("session-of-other", "other", 1, "", "");

    private TestDatabase database;
    private final AtomicReference<Connection> ofNode = new AtomicReference<>();
    private JdbcClusterStore node;
    private JdbcClusterStore other;

    abstract TestDatabase openDatabase();

    @BeforeEach
    void open() {
        database = openDatabase();
        new SchemaInstaller(database.connections()).install();
        ConnectionProvider remembering = () -> {
            Connection opened = database.connections().getConnection();
            ofNode.set(opened);
            return opened;
        };
        node = new JdbcClusterStore(remembering);
        other = new JdbcClusterStore(database.connections());
        node.join(NODE, TERMS, TIMEOUT);
        other.join(OTHER, TERMS, TIMEOUT);
        assertThat(node.acquire(Set.of(0), NODE.session(), TERMS)).hasSize(1);
        ofNode.set(null);
        beat(node, NODE);
    }

    @AfterEach
    void close() {
        node.close();
        other.close();
        database.close();
    }

    private static ClusterView beat(JdbcClusterStore store, Member member) {
        return store.heartbeat(new Heartbeat(member.session(), TIMEOUT, Duration.ofSeconds(1), true))
                .orElseThrow();
    }

    private MemberState seenByOther() {
        return beat(other, OTHER).state(NODE);
    }

    private void loseConnectionOfNode() throws SQLException {
        ofNode.get().abort(Runnable::run);
    }

    private void awaitSeenToEnd() throws InterruptedException {
        CountDownLatch pause = new CountDownLatch(1);
        long begun = System.nanoTime();
        while (!seenByOther().connectionEnded()) {
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(20));
            pause.await(10, TimeUnit.MILLISECONDS);
        }
    }

    @Test
    void aMemberThatBeatsIsSeenToBeConnected() {
        for (int n = 0; n < 3; n++) {
            MemberState state = seenByOther();
            assertThat(state.connectionEnded()).isFalse();
            assertThat(state.interval()).isEqualTo(Duration.ofSeconds(1));
            assertThat(state.ready()).isTrue();
        }
        assertThat(node.isWatched(NODE.session())).isTrue();
        assertThat(node.isWatched("a-session-without-a-lock")).isFalse();
        assertThat(other.endDisconnected(NODE.session(), Duration.ZERO)).isFalse();
        assertThat(node.heartbeat(Heartbeat.of(NODE.session(), TIMEOUT))).isPresent();
    }

    @Test
    void aPoolDoesNotLendTheConnectionOfANodeThatHasClosedIt() throws SQLException {
        node.close();

        try (Connection next = database.connections().getConnection();
                Statement statement = next.createStatement()) {
            assertThat(statement.execute("SELECT 1")).isTrue();
        }
    }

    @Test
    void aMemberThatDiesIsEndedLongBeforeItsTimeout() throws Exception {
        loseConnectionOfNode();
        awaitSeenToEnd();

        assertThat(other.endDisconnected(NODE.session(), Duration.ofMinutes(5)))
                .as("it has not been silent for so long")
                .isFalse();
        assertThat(other.acquire(Set.of(0), OTHER.session(), TERMS)).isEmpty();
        assertThat(other.endDisconnected(NODE.session(), Duration.ZERO)).isTrue();
        assertThat(other.endDisconnected(NODE.session(), Duration.ZERO))
                .as("once")
                .isFalse();

        assertThat(beat(other, OTHER).members()).containsExactly(OTHER);
        assertThat(other.acquire(Set.of(0), OTHER.session(), TERMS)).hasSize(1);
        assertThat(node.heartbeat(Heartbeat.of(NODE.session(), TIMEOUT)))
                .as("fenced")
                .isEmpty();
    }

    @Test
    void aLiveMemberThatLostItsConnectionHasAnotherWithItsNextHeartbeat() throws Exception {
        loseConnectionOfNode();
        awaitSeenToEnd();

        // As long as the database has not noticed, the lock may be another connection's: then the next one has it.
        CountDownLatch pause = new CountDownLatch(1);
        do {
            beat(node, NODE);
            pause.await(10, TimeUnit.MILLISECONDS);
        } while (seenByOther().connectionEnded());

        assertThat(other.endDisconnected(NODE.session(), Duration.ZERO)).isFalse();
        assertThat(beat(other, OTHER).members()).contains(NODE);
    }

    @Test
    void heartbeatsKeepOneConnection() {
        Connection first = ofNode.get();
        beat(node, NODE);
        beat(node, NODE);

        assertThat(ofNode.get()).isSameAs(first);
    }

    @Test
    void whoLeavesGivesTheConnectionBackWithoutLocks() throws Exception {
        node.leave(NODE.session());
        assertThat(ofNode.get().isClosed()).isTrue();

        JdbcClusterStore again = new JdbcClusterStore(database.connections());
        again.join(NODE, TERMS, TIMEOUT);
        beat(again, NODE);
        assertThat(seenByOther().connectionEnded()).isFalse();
        again.close();
        awaitSeenToEnd();
    }

    @Test
    void aRowThatNamesNoServerIsNoEvidence() throws Exception {
        loseConnectionOfNode();
        awaitSeenToEnd();
        database.execute("UPDATE outbox_node SET lock_server = 'another' WHERE node_id = 'node'");
        assertThat(seenByOther().connectionEnded()).as("another server").isFalse();
        database.execute("UPDATE outbox_node SET lock_server = NULL WHERE node_id = 'node'");
        assertThat(seenByOther().connectionEnded()).as("an older version").isFalse();
        assertThat(other.endDisconnected(NODE.session(), Duration.ZERO)).isFalse();
    }
}
