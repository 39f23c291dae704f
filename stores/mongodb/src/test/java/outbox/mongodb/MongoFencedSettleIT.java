package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.MongoPublishStore;
import outbox.mongodb.internal.event.SettleTransaction;
import outbox.mongodb.internal.relay.MongoClusterStore;
import outbox.mongodb.internal.relay.MongoPartitionStore;
import outbox.mongodb.internal.relay.OwnershipDocuments;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;

/** A settle and a takeover that meet: one of them fails, and a late settle changes nothing. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MongoFencedSettleIT {

    /** What is settled. */
    enum Batch {
        DONE,
        DONE_AND_DELETED,
        MIXED
    }

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);

    private TestMongo mongo;
    private MongoClusterStore cluster;
    private OutboxCollections collections;
    private PartitionOwnership hold;
    private List<String> ids;

    @BeforeEach
    void acquire() {
        mongo = TestMongo.open().installed();
        collections = mongo.source().inside();
        cluster = new MongoClusterStore(mongo.source());
        cluster.join(new Member("session", "node", 1, "test", "here"), TERMS, Duration.ofMinutes(10));
        cluster.join(new Member("other", "other", 1, "test", "here"), TERMS, Duration.ofMinutes(10));
        hold = cluster.acquire(Set.of(0), "session", TERMS).getFirst().ownership();
        ids = publish(3);
    }

    @AfterEach
    void close() {
        if (mongo != null) {
            mongo.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Batch.class)
    void aSettleThatMeetsATakeoverChangesNothing(Batch batch) throws Exception {
        try (ClientSession takeover = mongo.client().startSession()) {
            takeover.startTransaction(MongoSource.TRANSACTION);
            takeOver(takeover);
            CompletableFuture<SettleResult> settle = async(() -> settle(batch));
            assertStaysOpen(settle);
            takeover.commitTransaction();

            assertThat(settle.get(30, TimeUnit.SECONDS)).isEqualTo(new SettleResult.Fenced());
        }
        assertThat(statuses()).containsExactly(Field.PENDING, Field.PENDING, Field.PENDING);
        assertThat(collections.events().countDocuments(Filters.exists(Field.FAILURES)))
                .isZero();
    }

    @ParameterizedTest
    @EnumSource(Batch.class)
    void aSettleThatMeetsATakeoverWhichIsRolledBackIsWritten(Batch batch) throws Exception {
        try (ClientSession takeover = mongo.client().startSession()) {
            takeover.startTransaction(MongoSource.TRANSACTION);
            takeOver(takeover);
            CompletableFuture<SettleResult> settle = async(() -> settle(batch));
            assertStaysOpen(settle);
            takeover.abortTransaction();

            assertThat(settle.get(30, TimeUnit.SECONDS)).isEqualTo(SettleResult.allWritten(3));
        }
        assertThat(collections.events().countDocuments(Filters.eq(Field.RETRY_COUNT, 0)))
                .isEqualTo(
                        switch (batch) {
                            case DONE -> 3;
                            case DONE_AND_DELETED -> 0;
                            case MIXED -> 2;
                        });
    }

    @Test
    void aStoreSettlesAgainAfterItWasFencedAtAnotherEpoch() {
        MongoPartitionStore store = new MongoPartitionStore(mongo.source());
        assertThat(store.settle(request(Batch.DONE))).isEqualTo(SettleResult.allWritten(3));
        PartitionOwnership mine = hold;
        hold = new PartitionOwnership(0, hold.epoch() + 1, "session");
        assertThat(store.settle(request(Batch.DONE))).isEqualTo(new SettleResult.Fenced());

        hold = mine;
        ids = publish(2);

        assertThat(store.settle(request(Batch.DONE))).isEqualTo(SettleResult.allWritten(2));
    }

    /** The takeover commits after the settle's snapshot was taken, which a fence that only reads would not notice. */
    @Test
    void aTakeoverThatTheSettlesSnapshotDoesNotShowStopsItAllTheSame() {
        SettleTransaction settle = new SettleTransaction(request(Batch.DONE));
        try (ClientSession late = mongo.client().startSession()) {
            late.startTransaction(MongoSource.TRANSACTION);
            assertThat(collections.slots().find(late, Filters.eq(0)).first().getLong("epoch"))
                    .isEqualTo(hold.epoch());
            takeOver(null);
            assertThat(collections.slots().find(late, Filters.eq(0)).first().getLong("epoch"))
                    .as("what the snapshot shows")
                    .isEqualTo(hold.epoch());

            assertThat(failureOf(() -> settle.execute(late, collections))).isTrue();
        }
        assertThat(settle(Batch.DONE)).isEqualTo(new SettleResult.Fenced());
        assertThat(statuses()).containsExactly(Field.PENDING, Field.PENDING, Field.PENDING);
    }

    @Test
    void whoFindsASettleAtItsSlotPassesOnInsteadOfWaiting() {
        cluster.release(List.of(hold));
        PartitionOwnership again =
                cluster.acquire(Set.of(0), "session", TERMS).getFirst().ownership();
        cluster.heartbeat(Heartbeat.of("session", Duration.ofMillis(1)));
        try (ClientSession frozen = mongo.client().startSession()) {
            frozen.startTransaction(MongoSource.TRANSACTION);
            collections
                    .slots()
                    .updateOne(frozen, Filters.eq(again.partition()), Updates.inc(OwnershipDocuments.SETTLED, 1L));

            assertThat(cluster.acquire(Set.of(0), "other", TERMS)).isEmpty();
            frozen.abortTransaction();
        }
        assertThat(cluster.acquire(Set.of(0), "other", TERMS))
                .extracting(each -> each.ownership().epoch())
                .containsExactly(again.epoch() + 1);
    }

    @Test
    void aSettleThatIsFrozenBeforeItsFenceDoesNotKeepTheSlotFromOthers() {
        cluster.heartbeat(Heartbeat.of("session", Duration.ofMillis(1)));
        try (ClientSession frozen = mongo.client().startSession()) {
            frozen.startTransaction(MongoSource.TRANSACTION);
            collections
                    .events()
                    .updateMany(frozen, Filters.in(Field.ID, ids), Updates.set(Field.STATUS, Field.COMPLETED));

            assertThat(cluster.acquire(Set.of(0), "other", TERMS))
                    .extracting(each -> each.ownership().epoch())
                    .containsExactly(hold.epoch() + 1);
            assertThat(failureOf(() -> new SettleTransaction(request(Batch.DONE)).execute(frozen, collections)))
                    .isTrue();
        }
        assertThat(statuses()).containsExactly(Field.PENDING, Field.PENDING, Field.PENDING);
    }

    private static boolean failureOf(Runnable work) {
        try {
            work.run();
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }

    private void takeOver(ClientSession session) {
        Document change =
                new Document("$set", new Document("owner", "other")).append("$inc", new Document("epoch", 1L));
        if (session == null) {
            collections.slots().updateOne(Filters.eq(0), change);
        } else {
            collections.slots().updateOne(session, Filters.eq(0), change);
        }
    }

    private SettleResult settle(Batch batch) {
        return new MongoPartitionStore(mongo.source()).settle(request(batch));
    }

    private SettleRequest request(Batch batch) {
        List<SettleItem> items = new ArrayList<>();
        for (String id : ids) {
            Claim claim = new Claim(id, hold.token());
            boolean fails = batch == Batch.MIXED && id.equals(ids.get(2));
            Settlement settlement =
                    fails ? new Settlement.Retry(claim, Duration.ofHours(1), "broken") : new Settlement.Done(claim);
            items.add(new SettleItem(settlement, 0, "there"));
        }
        DoneRows doneRows = batch == Batch.DONE_AND_DELETED ? DoneRows.DELETE : DoneRows.KEEP;
        return new SettleRequest(new Fence.Ownership(hold), "node", items, doneRows);
    }

    private List<String> statuses() {
        return collections
                .events()
                .find()
                .map(event -> event.getString(Field.STATUS))
                .into(new ArrayList<>());
    }

    private static void assertStaysOpen(CompletableFuture<?> work) throws Exception {
        try {
            work.get(500, TimeUnit.MILLISECONDS);
        } catch (TimeoutException stillAtIt) {
            return;
        }
        throw new AssertionError("did not wait for the other transaction");
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

    private List<String> publish(int count) {
        ThreadLocalMongoTxContext context = new ThreadLocalMongoTxContext();
        OutboxClient client = OutboxClient.storeOnly(new MongoPublishStore(context, mongo.source()));
        List<EventEnvelope> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(EventEnvelope.ofJson("A", "{}"));
        }
        new MongoTransactions(mongo.client(), context).run(session -> client.publishAll(events));
        return events.stream().map(EventEnvelope::eventId).sorted().toList();
    }
}
