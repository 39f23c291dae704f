package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoWriteException;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertOneOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.SchemaException;
import outbox.internal.KeyHash;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.mongodb.internal.event.Buckets;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.MongoClaimStore;
import outbox.mongodb.internal.operations.MongoOperatorStore;
import outbox.mongodb.internal.relay.MongoClusterStore;
import outbox.mongodb.internal.relay.MongoPartitionStore;
import outbox.spi.ClaimRequest;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.Selection;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PeekRequest;

/** Documents that other programs wrote: refused where they are written, and harmless where they are there all the same. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ForeignEventIT {

    private static final Selection.Matching DEAD =
            new Selection.Matching(EventFilter.ALL.withState(EventFilter.State.DEAD));
    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
    private static final int DOCUMENT_FAILED_VALIDATION = 121;

    private TestMongo mongo;
    private String good;

    @BeforeEach
    void open() {
        mongo = TestMongo.open().installed();
        good = new Publisher(mongo.client(), mongo.source()).publish("key");
    }

    @AfterEach
    void close() {
        if (mongo != null) {
            mongo.close();
        }
    }

    /** What is wrong with a document; a null value means that the field is left out. */
    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(Field.TYPE, 7),
                Arguments.of(Field.TYPE, null),
                Arguments.of(Field.PAYLOAD, new Document("orderId", 1)),
                Arguments.of(Field.PAYLOAD, null),
                Arguments.of(Field.CREATED_AT, "2026-11-15T09:05:03Z"),
                Arguments.of(Field.CREATED_AT, null),
                Arguments.of(Field.DUE_AT, 1_763_197_503_000L),
                Arguments.of(Field.OCCURRED_AT, null),
                Arguments.of(Field.HEADERS, new Document("trace", "1")),
                Arguments.of(Field.MESSAGE_GROUP, 123),
                Arguments.of(Field.RETRY_COUNT, "0"),
                Arguments.of(Field.MAX_ATTEMPTS, "ten"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isRefusedWhereItIsWritten(String field, Object value) {
        assertRefused(faulty(field, value));
    }

    @Test
    void isRefusedWhenNoRelayWouldFindIt() {
        assertRefused(faulty(Field.BUCKET, null));
        assertRefused(faulty(Field.BUCKET, 120));
        assertRefused(faulty(Field.KEY_HASH, null));
        assertRefused(faulty(Field.SEQ, Date.from(Instant.now())));
        assertRefused(faulty(Field.BUCKET, (foreign().getInteger(Field.BUCKET) + 1) % 120));
        assertRefused(foreign().append(Field.ID, 4711));
        assertRefused(foreign().append(Field.STATUS, "pending"));
    }

    private void assertRefused(Document document) {
        assertThatThrownBy(() -> mongo.source().inside().events().insertOne(document))
                .isInstanceOfSatisfying(
                        MongoWriteException.class,
                        e -> assertThat(e.getError().getCode()).isEqualTo(DOCUMENT_FAILED_VALIDATION));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isDeadWithItsReasonAndStallsNoSlot(String field, Object value) {
        insert(faulty(field, value));

        assertThat(fetchedFromAllSlots()).containsExactly(good);

        assertThatItIsDeadBecauseOf(field);
        assertThat(fetchedFromAllSlots()).containsExactly(good);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isDeadWithItsReasonAndStallsNoLane(String field, Object value) {
        insert(faulty(field, value).append(Field.SEQ, new BsonTimestamp(2_000_000_000, 1)));
        int lane = KeyHash.of("key");

        assertThat(new MongoPartitionStore(mongo.source())
                        .fetchLanes(new LaneFetch(Set.of(lane), 1, 1 << 20))
                        .getFirst()
                        .events())
                .hasSize(1);
        assertThat(new MongoPartitionStore(mongo.source())
                        .fetchLanes(new LaneFetch(Set.of(lane), 10, 1 << 20))
                        .getFirst()
                        .events())
                .extracting(pending -> pending.event().eventId())
                .containsExactly(good);

        assertThatItIsDeadBecauseOf(field);
    }

    @Test
    void stallsNoDispatcherWhateverItsIdIs() {
        insert(foreign().append(Field.ID, 4711).append(Field.SEQ, new BsonTimestamp(1_700_000_000, 1)));
        MongoClaimStore dispatch = new MongoClaimStore(mongo.source());

        Stream<OutboxEvent> claimed = IntStream.range(0, 3)
                .mapToObj(n -> new ClaimTerms("token-" + n, Duration.ofMinutes(1)))
                .flatMap(terms -> dispatch.claim(new ClaimRequest(terms, Duration.ZERO, 10, 1 << 20)).stream());

        assertThat(claimed.map(OutboxEvent::eventId)).containsExactly(good);
    }

    @Test
    void isRefusedAndDeadWhenItsPlaceInTheOrderIsNone() {
        assertRefused(faulty(Field.SEQ, new BsonTimestamp(1_000, 1)));
        assertRefused(faulty(Field.SEQ, new BsonTimestamp(-1, 1))); // Long after 2088.
        insert(faulty(Field.SEQ, new BsonTimestamp(1_000, 1)));

        new MongoClusterStore(mongo.source())
                .join(new Member("session", "node", 1, "test", "here"), TERMS, Duration.ofMinutes(1));

        assertThatItIsDeadBecauseOf(Field.SEQ);
        assertThat(fetchedFromAllSlots()).containsExactly(good);
    }

    @Test
    void isDeadWithItsReasonAndStallsNoDispatcher() {
        insert(foreign()
                .append(Field.PAYLOAD, 17)
                .append(Field.KEY_HASH, KeyHash.of("another"))
                .append(Field.BUCKET, Buckets.of(KeyHash.of("another"))));
        MongoClaimStore dispatch = new MongoClaimStore(mongo.source());

        Stream<OutboxEvent> claimed = IntStream.range(0, 3)
                .mapToObj(n -> new ClaimTerms("token-" + n, Duration.ofMinutes(1)))
                .flatMap(terms -> dispatch.claim(new ClaimRequest(terms, Duration.ZERO, 10, 1 << 20)).stream());

        assertThat(claimed.map(OutboxEvent::eventId)).containsExactly(good);
        assertThatItIsDeadBecauseOf(Field.PAYLOAD);
    }

    @Test
    void doesNotStallThePollThatLooksForWhatCameDue() {
        insert(foreign().append(Field.ID, "a").append(Field.DELAYED, true).append(Field.KEY_HASH, "no number"));
        insert(foreign()
                .append(Field.ID, "b")
                .append(Field.DELAYED, true)
                .append(Field.DUE_AT, new BsonTimestamp(1, 1)));
        List<PeekRequest.Position> positions = IntStream.range(0, 6)
                .mapToObj(slot -> new PeekRequest.Position(slot, 0, Set.of()))
                .toList();

        assertThat(new MongoPartitionStore(mongo.source())
                        .peek(new PeekRequest(TERMS, positions, Instant.EPOCH))
                        .partitions())
                .contains(TERMS.partitionOf(KeyHash.of("key")));
    }

    @Test
    void isClaimedAlsoWhenItSaysThatItWillBeCreated() {
        insert(foreign().append(Field.CREATED_AT, Date.from(Instant.now().plus(Duration.ofDays(365)))));
        ClaimTerms terms = new ClaimTerms("token", Duration.ofMinutes(1));

        assertThat(new MongoClaimStore(mongo.source()).claim(new ClaimRequest(terms, Duration.ZERO, 10, 1 << 20)))
                .extracting(OutboxEvent::eventId)
                .containsExactlyInAnyOrder(good, "foreign");
    }

    @Test
    void thatNobodyWouldFindIsDeadOnceTheSchemaIsInstalledOrARelayJoins() {
        insert(faulty(Field.BUCKET, null));

        mongo.installed();

        assertThatItIsDeadBecauseOf("bucket");
    }

    @Test
    void canBeMendedAndReplayed() {
        insert(faulty(Field.TYPE, 7));
        fetchedFromAllSlots();
        mongo.source()
                .inside()
                .events()
                .updateOne(Filters.eq("foreign"), new Document("$set", new Document(Field.TYPE, "OrderPlaced")));

        replay(new Selection.Ids(List.of("foreign")));

        assertThat(fetchedFromAllSlots()).containsExactlyInAnyOrder(good, "foreign");
    }

    @Test
    void keepsNoOtherDeadEventFromBeingReplayed() {
        insert(faulty(Field.TYPE, 7));
        insert(foreign().append(Field.ID, 4711).append(Field.KEY_HASH, KeyHash.of("another")));
        mongo.installed(); // Sets dead what lies in no bucket of its own.
        fetchedFromAllSlots();
        insert(foreign().append(Field.ID, "mended").append(Field.STATUS, Field.FAILED));
        MongoOperatorStore operator = new MongoOperatorStore(mongo.source());
        assertThat(operator.count(DEAD, 10).counted()).isEqualTo(3);

        assertThat(replay(DEAD)).containsExactly("mended");

        assertThat(fetchedFromAllSlots()).containsExactlyInAnyOrder(good, "mended");
        assertThat(operator.count(DEAD, 10).counted()).isEqualTo(2);
        assertThatThrownBy(() -> replay(new Selection.Ids(List.of("foreign"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("foreign", "validator", "mend it");
    }

    @Test
    void theRuleIsMissedAtStart() {
        mongo.client()
                .getDatabase(mongo.source().databaseName())
                .runCommand(new Document("collMod", "outbox_event").append("validator", new Document()));

        assertThatThrownBy(() -> new MongoClaimStore(mongo.source()).open())
                .isInstanceOf(SchemaException.class)
                .hasMessageContainingAll("outbox_event", "validator", "install()");
        mongo.installed();
        new MongoClaimStore(mongo.source()).open();
    }

    private void assertThatItIsDeadBecauseOf(String field) {
        List<EventSummary> dead = new MongoOperatorStore(mongo.source())
                .events(new EventQuery(DEAD.filter(), null, 10))
                .events();
        assertThat(dead).hasSize(1);
        assertThat(dead.getFirst().eventId()).isEqualTo("foreign");
        assertThat(dead.getFirst().state().lastError()).contains("cannot be read", field);
    }

    private List<String> replay(Selection selection) {
        return new MongoOperatorStore(mongo.source())
                .replay(selection, null, 10, new OperatorAction("test", null))
                .eventIds();
    }

    private List<String> fetchedFromAllSlots() {
        MongoPartitionStore store = new MongoPartitionStore(mongo.source());
        return IntStream.range(0, 6)
                .mapToObj(slot -> store.fetch(List.of(new PartitionFetch(TERMS, slot, 0, Set.of(), 10, 1 << 20)))
                        .getFirst())
                .flatMap(fetched -> fetched.events().stream())
                .map(pending -> pending.event().eventId())
                .toList();
    }

    private Document faulty(String field, Object value) {
        Document document = foreign();
        if (value == null) {
            document.remove(field);
        } else {
            document.append(field, value);
        }
        return document;
    }

    /** As the documentation tells other programs to write it, with the key of the good one. */
    private Document foreign() {
        Date now = Date.from(Instant.now());
        return new Document(Field.ID, "foreign")
                .append(Field.TYPE, "OrderPlaced")
                .append(Field.MESSAGE_GROUP, "key")
                .append(Field.PAYLOAD, "{}")
                .append(Field.STATUS, Field.PENDING)
                .append(Field.RETRY_COUNT, 0)
                .append(Field.KEY_HASH, KeyHash.of("key"))
                .append(Field.BUCKET, KeyHash.of("key") % 120)
                .append(Field.OCCURRED_AT, now)
                .append(Field.CREATED_AT, now)
                .append(Field.DUE_AT, now)
                .append(Field.SEQ, new BsonTimestamp(0, 0));
    }

    /** Past the rule that refuses it. */
    private void insert(Document document) {
        mongo.source()
                .inside()
                .events()
                .insertOne(Objects.requireNonNull(document), new InsertOneOptions().bypassDocumentValidation(true));
    }
}
