package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertOneOptions;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDateTime;
import org.bson.BsonTimestamp;
import org.bson.BsonType;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.Outbox;
import outbox.OutboxConfig;
import outbox.internal.KeyHash;
import outbox.mongodb.internal.diagnosis.MongoDiagnosisStore;
import outbox.mongodb.internal.event.Buckets;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.MongoClaimStore;
import outbox.mongodb.internal.operations.MongoOperatorStore;
import outbox.mongodb.internal.relay.MongoClusterStore;
import outbox.mongodb.internal.relay.MongoPartitionStore;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;
import outbox.spi.relay.PeekRequest;
import outbox.spi.relay.RelayStores;
import outbox.testkit.Await;
import outbox.testkit.RecordingDestination;
import outbox.testkit.RowCorpus;

/** Odd documents of every kind, past the validator: every other event is delivered, and people see what is there. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class MongoCorpusIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Map<String, String> FIELDS = Map.of(
            "event_type", Field.TYPE,
            "ordering_key", Field.MESSAGE_GROUP,
            "aggregate_type", Field.AGGREGATE_TYPE,
            "aggregate_id", Field.AGGREGATE_ID,
            "tenant_id", Field.TENANT_ID,
            "headers", Field.HEADERS,
            "payload", Field.PAYLOAD);

    /**
     * The validator refuses these, and no read of a partition finds them: nothing waits for them, and the doctor names
     * them.
     */
    private static final Set<String> IN_NO_SLOT =
            Set.of("seq is missing", "seq is a document", "seq is a list", "seq is a number", "seq is a flag");

    private TestMongo mongo;
    private final Map<String, Document> odd = new LinkedHashMap<>();
    private List<String> good = List.of();

    @BeforeEach
    void open() {
        mongo = TestMongo.open().installed();
        Publisher publisher = new Publisher(mongo.client(), mongo.source());
        List<String> published = new ArrayList<>();
        IntStream.range(0, 10).forEach(n -> published.add(publisher.publish("good-" + n)));
        texts();
        wrongTypes();
        odd.values()
                .forEach(document -> mongo.source()
                        .collections()
                        .events()
                        .insertOne(document, new InsertOneOptions().bypassDocumentValidation(true)));
        IntStream.range(0, 10).forEach(n -> published.add(publisher.publish("good-" + n)));
        good = published;
        assertThat(odd).hasSizeGreaterThan(60);
    }

    @AfterEach
    void close() {
        if (mongo != null) {
            mongo.close();
        }
    }

    /** The texts of the corpus of tables: ids, keys, types, headers and payloads. */
    private void texts() {
        for (RowCorpus.OddRow row : RowCorpus.rows("MongoDB")) {
            boolean isText = row.columns().entrySet().stream()
                    .allMatch(column -> (FIELDS.containsKey(column.getKey()) && column.getValue() instanceof String)
                            || column.getKey().equals("key_hash"));
            if (isText) {
                Document document = plain(row.eventId());
                row.columns().forEach((column, value) -> {
                    if (FIELDS.containsKey(column)) {
                        document.append(FIELDS.get(column), value);
                    }
                });
                odd.put(row.label(), document);
            }
        }
    }

    private void wrongTypes() {
        for (String field : plain("any").keySet()) {
            if (!field.equals(Field.ID) && !field.equals(Field.STATUS)) {
                put(field, "is missing", null);
                put(field, "is a document", new Document("a", 1));
                put(field, "is a list", List.of(1));
                put(field, "is a number", 4.5);
                put(field, "is a flag", true);
            }
        }
        put(Field.MAX_ATTEMPTS, "is no number", "ten");
        put(Field.MAX_ATTEMPTS, "is 0", 0);
        put(Field.RETRY_COUNT, "is negative", -1);
        put(Field.OCCURRED_AT, "is in 9999", Date.from(Instant.parse("9999-12-31T23:59:59Z")));
        put(Field.CREATED_AT, "is in 9999", Date.from(Instant.parse("9999-12-31T23:59:59Z")));
        put(Field.OCCURRED_AT, "is as late as can be", new BsonDateTime(Long.MAX_VALUE));
        put(Field.CREATED_AT, "is as early as can be", new BsonDateTime(Long.MIN_VALUE));
        put(Field.SEQ, "is long ago", new BsonTimestamp(1_000, 1));
        put(Field.BUCKET, "is another", 119);
        put(Field.STATUS, "is missing", null);
        put(Field.STATUS, "is a number", 9);
        put(Field.STATUS, "is unknown", "SENT");
    }

    private void put(String field, String how, @Nullable Object value) {
        Document document = plain("doc-" + odd.size());
        if (value == null) {
            document.remove(field);
        } else {
            document.append(field, value);
        }
        odd.put(field + " " + how, document);
    }

    private static Document plain(String id) {
        Date now = Date.from(Instant.now());
        return new Document(Field.ID, id)
                .append(Field.TYPE, RowCorpus.TYPE)
                .append(Field.MESSAGE_GROUP, id)
                .append(Field.PAYLOAD, "{}")
                .append(Field.STATUS, Field.PENDING)
                .append(Field.RETRY_COUNT, 0)
                .append(Field.KEY_HASH, KeyHash.of(id))
                .append(Field.BUCKET, Buckets.of(KeyHash.of(id)))
                .append(Field.OCCURRED_AT, now)
                .append(Field.CREATED_AT, now)
                .append(Field.DUE_AT, now)
                .append(Field.SEQ, new BsonTimestamp(0, 0));
    }

    @Test
    void aRelayDeliversEveryOtherEventAndLeavesNoDocumentPending() {
        RecordingDestination destination = new RecordingDestination();
        RelayStores stores = new RelayStores(
                new MongoPartitionStore(mongo.source()),
                new MongoClusterStore(mongo.source()),
                new MongoClaimStore(mongo.source()));
        try (Relay relay = Relay.on(stores, RelayConfig.of("node"))
                .destination("there", destination)
                .build()
                .start()) {
            assertThat(relay).isNotNull();
            Await.until(
                    "all good events are delivered",
                    PATIENCE,
                    () -> destination.eventIds().containsAll(good));
            Await.until(
                    "no document is pending that a slot shows",
                    PATIENCE,
                    () -> pending().stream().allMatch(this::isInNoSlot));
        }
        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.is(FindingCode.ROWS_UNREADABLE)).isTrue();
            assertThat(finding.evidence()).contains(" has seq null").doesNotContain(" has bucket ");
        });
        mongo.source()
                .collections()
                .events()
                .updateMany( // As the doctor advises.
                        Filters.and(
                                Filters.eq(Field.STATUS, Field.PENDING),
                                Filters.not(Filters.type(Field.SEQ, BsonType.TIMESTAMP))),
                        Updates.set(Field.STATUS, Field.FAILED));
        assertThat(pending()).isEmpty();
        assertThat(findings()).isEmpty();
    }

    @Test
    void whatLiesInNoBucketIsNamedAndDeadWithTheNextPoll() {
        assertThat(findings())
                .anySatisfy(finding -> assertThat(finding.evidence()).contains(" has bucket null"));
        assertThat(pending()).extracting(this::labelOf).contains("bucket is missing", "bucket is a number");

        new MongoPartitionStore(mongo.source())
                .peek(new PeekRequest(RelayConfig.of("node").terms(), List.of(), null));

        assertThat(pending())
                .extracting(this::labelOf)
                .doesNotContain("bucket is missing", "bucket is a document", "bucket is a number", "bucket is a flag")
                .contains("good");
    }

    private String labelOf(String id) {
        return odd.entrySet().stream()
                .filter(each -> id.equals(each.getValue().getString(Field.ID)))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("good");
    }

    private List<Finding> findings() {
        return new MongoDiagnosisStore(mongo.source()).findings();
    }

    private boolean isInNoSlot(String id) {
        return odd.entrySet().stream()
                .anyMatch(each -> IN_NO_SLOT.contains(each.getKey())
                        && id.equals(each.getValue().getString(Field.ID)));
    }

    @Test
    void aDispatcherDeliversEveryOtherEvent() {
        Queue<String> delivered = new ConcurrentLinkedQueue<>();
        try (Outbox outbox = MongoOutbox.builder(mongo.source(), new ThreadLocalMongoTxContext())
                .config(new OutboxConfig().setPollerIntervalMs(200))
                .onAll(event -> delivered.add(event.eventId()))
                .build()) {
            assertThat(outbox).isNotNull();
            Await.until("all good events are delivered", PATIENCE, () -> delivered.containsAll(good));
        }
    }

    @Test
    void peopleSeeEveryDocument() {
        MongoOperatorStore store = new MongoOperatorStore(mongo.source());
        List<String> listed = new ArrayList<>();
        String next = null;
        do {
            EventPage page = store.events(new EventQuery(EventFilter.ALL, next, 25));
            page.events().forEach(event -> listed.add(event.eventId()));
            next = page.next();
            assertThat(listed.size()).isLessThan(1_000);
        } while (next != null);
        assertThat(listed).containsAll(good);
        for (Map.Entry<String, Document> each : odd.entrySet()) {
            String id = each.getValue().getString(Field.ID);
            assertThat(store.find(id)).as(each.getKey()).isPresent();
            store.history(id);
            store.lane(id, 10);
        }
    }

    private List<String> pending() {
        List<String> ids = new ArrayList<>();
        mongo.source()
                .collections()
                .events()
                .find(Filters.eq(Field.STATUS, Field.PENDING))
                .forEach(document -> ids.add(String.valueOf(document.get(Field.ID))));
        return ids;
    }
}
