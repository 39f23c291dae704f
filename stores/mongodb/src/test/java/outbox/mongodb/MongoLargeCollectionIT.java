package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.internal.KeyHash;
import outbox.internal.Ulids;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.mongodb.internal.event.Buckets;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.MongoClaimStore;
import outbox.mongodb.internal.event.MongoPublishStore;
import outbox.mongodb.internal.event.MongoRetentionStore;
import outbox.mongodb.internal.operations.MongoStatisticsStore;
import outbox.mongodb.internal.relay.MongoClusterStore;
import outbox.mongodb.internal.relay.MongoPartitionStore;
import outbox.spi.ClaimRequest;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PeekRequest;

/** What a command costs follows its batch, not the collection: 10,000 done, 10,000 pending and 3,000 delayed events. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class MongoLargeCollectionIT {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
    private static final int BATCH = 100;
    private static final int READ_ALLOWED = 1_500;

    /** A choice in order looks at a window of 500 due events, and at the head of each lane in it. */
    private static final int READ_BY_A_CLAIM_ALLOWED = 3_000;

    private TestMongo mongo;
    private MongoPartitionStore store;
    private PartitionOwnership hold;

    @BeforeAll
    void fill() {
        mongo = TestMongo.open().installed();
        store = new MongoPartitionStore(mongo.source());
        publish(10_000, "Done");
        mongo.source()
                .inside()
                .events()
                .updateMany(
                        new Document(),
                        List.of(new Document(
                                "$set",
                                new Document(Field.STATUS, Field.COMPLETED).append(Field.PROCESSED_AT, "$createdAt"))));
        publish(10_000, "Pending");
        publish(3_000, "Delayed");
        mongo.source()
                .inside()
                .events()
                .updateMany(
                        Filters.eq(Field.TYPE, "Delayed"),
                        new Document(
                                "$set",
                                new Document(Field.DUE_AT, Date.from(Instant.parse("2100-01-01T00:00:00Z")))
                                        .append(Field.DELAYED, true)));
        MongoClusterStore cluster = new MongoClusterStore(mongo.source());
        cluster.join(new Member("session", "node", 1, "test", "here"), TERMS, Duration.ofMinutes(10));
        hold = cluster.acquire(Set.of(3), "session", TERMS).getFirst().ownership();
    }

    @AfterAll
    void close() {
        if (mongo != null) {
            mongo.close();
        }
    }

    @Test
    void noCommandOfARelayReadsMoreThanItsBatch() {
        PartitionPage front = fetch(0, 1_000);
        long middle = front.events().get(999).seq();
        cheap("fetch", () -> assertThat(fetch(middle, BATCH).events()).hasSize(BATCH));
        Set<Integer> lanes =
                front.events().stream().limit(10).map(FetchedEvent::keyHash).collect(Collectors.toSet());
        cheap("fetch lanes", () -> store.fetchLanes(new LaneFetch(lanes, 10, 1 << 20)));
        List<PeekRequest.Position> positions = IntStream.range(0, 6)
                .mapToObj(slot -> new PeekRequest.Position(slot, slot % 2 == 0 ? 0 : Long.MAX_VALUE / 2, lanes))
                .toList();
        cheap(
                "poll",
                () -> assertThat(store.peek(new PeekRequest(TERMS, positions, Instant.EPOCH))
                                .partitions())
                        .containsExactlyInAnyOrder(0, 2, 4));
        for (DoneRows doneRows : DoneRows.values()) {
            List<SettleItem> done = itemsOf(fetch(middle, BATCH), false);
            cheap("settle", () -> settle(done, doneRows));
        }
        List<SettleItem> mixed = itemsOf(fetch(middle, BATCH), true);
        cheap("settle mixed", () -> settle(mixed, DoneRows.DELETE));
    }

    @Test
    void noCommandOfADispatcherReadsMoreThanItsBatch() {
        MongoClaimStore dispatch = new MongoClaimStore(mongo.source());
        List<OutboxEvent> claimed = new ArrayList<>();
        ClaimTerms terms = new ClaimTerms(Ulids.SYSTEM.next(), Duration.ofMinutes(5));
        cheap(
                "claim",
                READ_BY_A_CLAIM_ALLOWED,
                () -> claimed.addAll(dispatch.claim(new ClaimRequest(terms, Duration.ZERO, BATCH, 1 << 20))));
        assertThat(claimed).hasSize(BATCH);
        Set<Claim> claims = claimed.stream()
                .map(event -> new Claim(event.eventId(), terms.token()))
                .collect(Collectors.toSet());
        cheap("renew", () -> dispatch.renew(claims, Duration.ofMinutes(1)));
        cheap("release", () -> dispatch.release(claims));
        cheap("statistics", () -> new MongoStatisticsStore(mongo.source()).statistics(BATCH));
        cheap("purge", () -> new MongoRetentionStore(mongo.source()).purgeDone(Duration.ZERO, BATCH));
    }

    @Test
    void aBacklogOfOneLaneCostsOtherSlotsNothing() {
        List<EventEnvelope> backlog = IntStream.range(0, 5_000)
                .mapToObj(i -> EventEnvelope.builder("Backlog")
                        .orderingKey("one key")
                        .payloadJson("{}")
                        .build())
                .toList();
        int slotOfBacklog = TERMS.partitionOf(KeyHash.of("one key"));
        try (TestMongo other = TestMongo.open().installed()) {
            publish(other, backlog);
            MongoPartitionStore relay = new MongoPartitionStore(other.source());
            List<PeekRequest.Position> idle = IntStream.range(0, 6)
                    .filter(slot -> slot != slotOfBacklog)
                    .mapToObj(slot -> new PeekRequest.Position(slot, 0, Set.of()))
                    .toList();
            cheap(
                    "poll of idle slots",
                    () -> assertThat(relay.peek(new PeekRequest(TERMS, idle, null))
                                    .partitions())
                            .isEmpty());
        }
    }

    /** As on a database that tells a reader how far it may trust its position: they are passed once, and not again. */
    @Test
    void aHundredThousandEventsBehindAParkedKeyCostTheOthersNothing() {
        String parked = "a parked key";
        int lane = KeyHash.of(parked);
        int slot = TERMS.partitionOf(lane);
        // In the same bucket as well, where they can be told apart least.
        String neighbour = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "neighbour-" + i)
                .filter(key -> Buckets.of(KeyHash.of(key)) == Buckets.of(lane))
                .findFirst()
                .orElseThrow();
        try (TestMongo other = TestMongo.open().installed()) {
            insertBacklog(other, parked, 100_000);
            MongoPartitionStore relay = new MongoPartitionStore(other.source());
            PartitionFetch others = new PartitionFetch(TERMS, slot, 0, Set.of(lane), BATCH, 1 << 20);
            PeekRequest poll =
                    new PeekRequest(TERMS, List.of(new PeekRequest.Position(slot, 0, Set.of(lane))), Instant.EPOCH);

            cheap(
                    "a look with nothing but parked events",
                    () -> assertThat(relay.fetch(List.of(others)).getFirst().events())
                            .isEmpty());
            cheap(
                    "a poll of the same",
                    () -> assertThat(relay.peek(poll).partitions()).isEmpty());
            publish(
                    other,
                    IntStream.range(0, 2 * BATCH)
                            .mapToObj(i -> EventEnvelope.builder("Other")
                                    .orderingKey(i % 2 == 0 ? neighbour : "key-" + i)
                                    .payloadJson("{}")
                                    .build())
                            .toList());
            cheap(
                    "a look at the others",
                    () -> assertThat(relay.fetch(List.of(others)).getFirst().events())
                            .hasSize(BATCH)
                            .anyMatch(event -> neighbour.equals(event.event().orderingKey()))
                            .noneMatch(event -> event.keyHash() == lane));
            cheap(
                    "a poll that finds the others",
                    () -> assertThat(relay.peek(poll).partitions()).containsExactly(slot));
        }
    }

    private static void insertBacklog(TestMongo to, String key, int count) {
        Date now = Date.from(Instant.now());
        for (int from = 0; from < count; from += 10_000) {
            to.source()
                    .inside()
                    .events()
                    .insertMany(IntStream.range(from, from + 10_000)
                            .mapToObj(i -> new Document(Field.ID, "parked-" + i)
                                    .append(Field.TYPE, "Parked")
                                    .append(Field.MESSAGE_GROUP, key)
                                    .append(Field.PAYLOAD, "{}")
                                    .append(Field.STATUS, Field.PENDING)
                                    .append(Field.RETRY_COUNT, 0)
                                    .append(Field.KEY_HASH, KeyHash.of(key))
                                    .append(Field.BUCKET, Buckets.of(KeyHash.of(key)))
                                    .append(Field.OCCURRED_AT, now)
                                    .append(Field.CREATED_AT, now)
                                    .append(Field.DUE_AT, now)
                                    .append(Field.SEQ, new BsonTimestamp(0, 0)))
                            .toList());
        }
    }

    private List<SettleItem> itemsOf(PartitionPage fetched, boolean mixed) {
        List<SettleItem> items = new ArrayList<>();
        fetched.events().forEach(event -> {
            Claim claim = new Claim(event.event().eventId(), hold.token());
            Settlement settlement = mixed && items.size() % 2 == 0
                    ? new Settlement.Retry(claim, Duration.ofMillis(items.size()), "broken")
                    : new Settlement.Done(claim);
            items.add(new SettleItem(settlement, 0, "there"));
        });
        return items;
    }

    private void settle(List<SettleItem> items, DoneRows doneRows) {
        assertThat(store.settle(new SettleRequest(new Fence.Ownership(hold), "node", items, doneRows)))
                .isEqualTo(SettleResult.allWritten(items.size()));
    }

    private PartitionPage fetch(long after, int max) {
        return store.fetch(List.of(new PartitionFetch(TERMS, 3, after, Set.of(), max, 1 << 20)))
                .getFirst();
    }

    private void cheap(String what, Runnable command) {
        cheap(what, READ_ALLOWED, command);
    }

    private void cheap(String what, int allowed, Runnable command) {
        long before = read();
        command.run();
        assertThat(read() - before)
                .describedAs("entries and documents read by %s", what)
                .isLessThan(allowed);
    }

    /** How many entries of indexes and documents the server has read, as its own statistics say. */
    private long read() {
        Document status = mongo.client().getDatabase("admin").runCommand(new Document("serverStatus", 1));
        Document executor = status.get("metrics", Document.class).get("queryExecutor", Document.class);
        return executor.getLong("scanned") + executor.getLong("scannedObjects");
    }

    private void publish(int count, String type) {
        for (int from = 0; from < count; from += 1_000) {
            publish(
                    mongo,
                    IntStream.range(from, Math.min(count, from + 1_000))
                            .mapToObj(i -> EventEnvelope.builder(type)
                                    .aggregateId("key-" + i)
                                    .payloadJson("{}")
                                    .build())
                            .toList());
        }
    }

    private static void publish(TestMongo to, List<EventEnvelope> events) {
        ThreadLocalMongoTxContext context = new ThreadLocalMongoTxContext();
        OutboxClient client = OutboxClient.storeOnly(new MongoPublishStore(context, to.source()));
        new MongoTransactions(to.client(), context).run(session -> client.publishAll(events));
    }
}
