package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.mongodb.internal.relay.MongoClusterStore;
import outbox.mongodb.internal.relay.MongoPartitionStore;
import outbox.mongodb.internal.relay.OwnershipDocuments;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;
import outbox.testkit.Await;

/**
 * A process that vanishes in the middle of a settlement leaves a transaction behind that the server would keep for a
 * minute, with everything it has written. Whoever takes over ends it.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MongoAbandonedSettleIT {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);

    /** The server itself would wait for a minute. */
    private static final Duration TAKEOVER_MAX = Duration.ofSeconds(30);

    private TestMongo mongo;
    private MongoClusterStore cluster;
    private PartitionOwnership hold;
    private List<String> ids;

    @BeforeEach
    void acquire() {
        mongo = TestMongo.open().installed();
        cluster = new MongoClusterStore(mongo.source());
        cluster.join(new Member("session", "node", 1, "test", "here"), TERMS, Duration.ofMinutes(10));
        cluster.join(new Member("other", "other", 1, "test", "here"), TERMS, Duration.ofMinutes(10));
        hold = cluster.acquire(Set.of(0), "session", TERMS).getFirst().ownership();
        Publisher publisher = new Publisher(mongo.client(), mongo.source());
        ids = List.of(publisher.publish("a"), publisher.publish("b"), publisher.publish("c"));
    }

    @AfterEach
    void close() {
        if (mongo != null) {
            mongo.close();
        }
    }

    @Test
    void isEndedByWhoeverTakesTheSlotOver() throws Exception {
        try (FrozenClient frozen = FrozenClient.before("commitTransaction")) {
            CompletableFuture<SettleResult> abandoned = settleInBackground(frozen.client());
            frozen.awaitFrozen();
            cluster.heartbeat(Heartbeat.of("session", Duration.ofMillis(1)));

            long begun = System.nanoTime();
            PartitionOwnership next = acquired();
            SettleResult settled = settle(new MongoPartitionStore(mongo.source()), next);
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            System.out.println("a takeover behind an abandoned settlement took " + took.toMillis() + " ms");

            assertThat(settled).isEqualTo(SettleResult.allWritten(3));
            assertThat(took).isLessThan(TAKEOVER_MAX);
            frozen.thaw();
            assertThat(abandoned.get(30, TimeUnit.SECONDS)).isEqualTo(new SettleResult.Fenced());
        }
    }

    /** It holds the events then, and not the slot. */
    @Test
    void isEndedAlsoWhenItDidNotGetAsFarAsItsFence() throws Exception {
        try (FrozenClient frozen =
                FrozenClient.after("update", mongo.source().names().event())) {
            CompletableFuture<SettleResult> abandoned = settleInBackground(frozen.client());
            frozen.awaitFrozen();
            cluster.heartbeat(Heartbeat.of("session", Duration.ofMillis(1)));

            long begun = System.nanoTime();
            assertThat(settle(new MongoPartitionStore(mongo.source()), acquired()))
                    .isEqualTo(SettleResult.allWritten(3));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(TAKEOVER_MAX);
            frozen.thaw();
            assertThat(abandoned.get(30, TimeUnit.SECONDS)).isEqualTo(new SettleResult.Fenced());
        }
    }

    /** Its owner's time to drain was over, so that it gave the slot back with a settlement under way. */
    @Test
    void isEndedAlsoWhenTheSlotWasGivenBackMeanwhile() throws Exception {
        try (FrozenClient frozen =
                FrozenClient.after("update", mongo.source().names().event())) {
            CompletableFuture<SettleResult> abandoned = settleInBackground(frozen.client());
            frozen.awaitFrozen();
            cluster.release(List.of(hold));

            long begun = System.nanoTime();
            assertThat(settle(new MongoPartitionStore(mongo.source()), acquired()))
                    .isEqualTo(SettleResult.allWritten(3));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(TAKEOVER_MAX);
            frozen.thaw();
            assertThat(abandoned.get(30, TimeUnit.SECONDS)).isEqualTo(new SettleResult.Fenced());
        }
    }

    @Test
    void isNotEndedWhileItsOwnerLives() throws Exception {
        try (FrozenClient frozen = FrozenClient.before("commitTransaction")) {
            CompletableFuture<SettleResult> slow = settleInBackground(frozen.client());
            frozen.awaitFrozen();

            assertThat(cluster.acquire(Set.of(0), "other", TERMS)).isEmpty();
            frozen.thaw();
            assertThat(slow.get(30, TimeUnit.SECONDS)).isEqualTo(SettleResult.allWritten(3));
        }
    }

    /**
     * Whoever takes a slot may be frozen before it ends the session that it has read, while the slot is given back, taken
     * and settled anew by the former owner: what it then ends must not be somebody else's.
     */
    @Test
    void endsNoSessionThatIsAnothersByThen() {
        MongoPartitionStore store = new MongoPartitionStore(mongo.source());
        settle(store, hold);
        Document former = session();
        cluster.release(List.of(hold));
        hold = cluster.acquire(Set.of(0), "session", TERMS).getFirst().ownership();

        settle(store, hold);

        assertThat(session()).isNotEqualTo(former);
        List<ClientSession> others = new ArrayList<>();
        for (int n = 0; n < 10; n++) {
            others.add(mongo.client().startSession());
        }
        assertThat(others)
                .extracting(session -> session.getServerSession().getIdentifier())
                .doesNotContain(former.toBsonDocument());
        others.forEach(ClientSession::close);
    }

    private Document session() {
        Document slot = mongo.source().inside().slots().find(Filters.eq(0)).first();
        return Objects.requireNonNull(Objects.requireNonNull(slot).get(OwnershipDocuments.SESSION, Document.class));
    }

    private PartitionOwnership acquired() {
        List<AcquiredPartition> acquired = new ArrayList<>();
        Await.until("the slot is taken over", () -> {
            acquired.addAll(cluster.acquire(Set.of(0), "other", TERMS));
            return !acquired.isEmpty();
        });
        return acquired.getFirst().ownership();
    }

    private CompletableFuture<SettleResult> settleInBackground(MongoClient client) {
        MongoSource source = new MongoSource(client, mongo.source().databaseName());
        CompletableFuture<SettleResult> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(settle(new MongoPartitionStore(source), hold));
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private SettleResult settle(MongoPartitionStore store, PartitionOwnership by) {
        List<SettleItem> items = new ArrayList<>();
        ids.forEach(id -> items.add(new SettleItem(new Settlement.Done(new Claim(id, by.token())), 0, "there")));
        return store.settle(new SettleRequest(new Fence.Ownership(by), "node", items, DoneRows.KEEP));
    }
}
