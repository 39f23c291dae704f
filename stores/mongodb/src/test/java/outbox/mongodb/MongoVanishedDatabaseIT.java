package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.devservices.DevServices;
import catbox.devservices.FaultyProxy;
import com.mongodb.ConnectionString;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.OutboxException;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.mongodb.internal.relay.MongoClusterStore;
import outbox.mongodb.internal.relay.MongoPartitionStore;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionOwnership;
import outbox.testkit.Stopwatch;

/** A database that vanishes without a word, as behind a network that drops packets: noticed before the lease ends. */
@Timeout(90)
class MongoVanishedDatabaseIT {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
    private static final Duration TIMEOUT = Duration.ofSeconds(4);
    /** A tenth before the time-out, a node's own lease ends. */
    private static final Duration LEASE = TIMEOUT.multipliedBy(9).dividedBy(10);

    private static final Member MEMBER = new Member("session-1", "node", 1, "", "");

    private TestMongo mongo;
    private FaultyProxy proxy;
    private MongoClient client;
    private MongoClusterStore cluster;
    private MongoPartitionStore relay;
    private PartitionOwnership hold;

    @BeforeEach
    void open() {
        mongo = TestMongo.open().installed();
        String server =
                new ConnectionString(DevServices.mongoDbUri()).getHosts().get(0);
        proxy = FaultyProxy.to(new ServerAddress(server).getPort());
        client = MongoClients.create("mongodb://127.0.0.1:" + proxy.port() + "/?directConnection=true");
        MongoSource source = new MongoSource(client, mongo.source().databaseName());
        cluster = new MongoClusterStore(source);
        relay = new MongoPartitionStore(source, TIMEOUT);
        cluster.join(MEMBER, TERMS, TIMEOUT);
        hold = cluster.acquire(Set.of(0), MEMBER.session(), TERMS).getFirst().ownership();
        settle(relay);
        fetch();
        beat();
    }

    @AfterEach
    void close() {
        proxy.close();
        client.close();
        mongo.close();
    }

    private void beat() {
        assertThat(cluster.heartbeat(Heartbeat.of(MEMBER.session(), TIMEOUT))).isPresent();
    }

    // Of an event that there is not: the fence is looked at all the same.
    private void settle(MongoPartitionStore store) {
        Claim claim = new Claim("no-such-event", "");
        store.settle(new SettleRequest(
                new Fence.Ownership(hold),
                "node",
                List.of(new SettleItem(new Settlement.Done(claim), 0, "there")),
                DoneRows.KEEP));
    }

    private void fetch() {
        relay.fetch(List.of(new PartitionFetch(TERMS, 0, 0, Set.of(), 10, 1 << 20)))
                .getFirst();
    }

    @Test
    void aHeartbeatNoticesItBeforeTheLeaseEnds() {
        proxy.swallow();

        assertThat(timeToFail(this::beat)).isLessThan(LEASE);
    }

    @Test
    void aSettlementNoticesItBeforeTheLeaseEnds() {
        proxy.swallow();

        assertThat(timeToFail(() -> settle(relay))).isLessThan(LEASE);
    }

    @Test
    void theFirstSettlementOfASlotNoticesItBeforeTheLeaseEnds() {
        MongoPartitionStore fresh =
                new MongoPartitionStore(new MongoSource(client, mongo.source().databaseName()), TIMEOUT);
        proxy.swallow();

        assertThat(timeToFail(() -> settle(fresh))).isLessThan(LEASE);
    }

    @Test
    void aReadNoticesItBeforeTheLeaseEnds() {
        proxy.swallow();

        assertThat(timeToFail(this::fetch)).isLessThan(LEASE);
    }

    @Test
    void aReleaseNoticesItBeforeTheLeaseEnds() {
        proxy.swallow();

        assertThat(timeToFail(() -> cluster.release(List.of(hold)))).isLessThan(LEASE);
    }

    private static Duration timeToFail(Runnable action) {
        return Stopwatch.time(() -> assertThatThrownBy(action::run).isInstanceOf(OutboxException.class));
    }
}
