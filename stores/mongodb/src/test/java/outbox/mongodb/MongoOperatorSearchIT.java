package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.internal.KeyHash;
import outbox.internal.Ulids;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.Buckets;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.operations.MongoOperatorStore;
import outbox.mongodb.internal.operations.MongoStatisticsStore;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.ChangedEvents;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.OperatorStore.SearchIndexes;
import outbox.spi.operations.Selection;

/** The cost of operators' searches by the server's own count, and what only MongoDB has. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MongoOperatorSearchIT {

    private static final int SOME = 3_000;
    private static final int ROWS = 200;
    private static final OperatorAction ANNA = new OperatorAction("anna", "a reason");
    private static final Instant BEGIN = Instant.parse("2026-05-01T00:00:00Z");

    private static TestMongo mongo;
    private static OutboxCollections collections;

    @BeforeAll
    static void open() {
        mongo = TestMongo.open().installed();
        collections = mongo.source().collections();
    }

    @AfterAll
    static void close() {
        if (mongo != null) {
            mongo.close();
        }
    }

    @BeforeEach
    void clear() {
        profile(0);
        new MongoSchema(mongo.source()).dropSearchIndexes();
        collections.events().deleteMany(new Document());
        collections.audit().deleteMany(new Document());
    }

    @Test
    void noSearchReadsMoreThanItMay() {
        List.of(Field.PENDING, Field.COMPLETED, Field.FAILED).forEach(status -> insert(SOME, status));
        MongoOperatorStore store = new MongoOperatorStore(mongo.source(), ROWS);
        List<EventFilter> filters = new ArrayList<>(List.of(
                EventFilter.ALL,
                EventFilter.ALL.withEventType("None"),
                EventFilter.ALL.withKey("none"),
                EventFilter.ALL.withTenantId("none"),
                EventFilter.ALL.createdBetween(BEGIN.plusSeconds(60), BEGIN.plusSeconds(70))));
        for (State state : State.values()) {
            List.copyOf(filters.subList(0, 5)).forEach(filter -> filters.add(filter.withState(state)));
            filters.add(EventFilter.ALL.withState(state).withError("none*"));
        }

        profile(2);
        for (EventFilter filter : filters) {
            EventPage page = store.events(new EventQuery(filter, null, 50));
            if (page.next() != null) {
                store.events(new EventQuery(filter, page.next(), 50));
            }
            store.count(new Selection.Matching(filter), 50);
        }
        store.lane("key-1", 50);
        store.range(EventFilter.ALL.withState(State.DONE).withEventType("None"), null, 50);
        store.history("none");
        store.find("none");
        store.cluster();
        profile(0);

        List<Document> looks = profiled();
        assertThat(looks.size()).isGreaterThan(2 * filters.size());
        // Two ranges of ids beside that of a time, and the buckets that are merged.
        assertThat(looks).allSatisfy(look -> {
            assertThat(look.getString("planSummary")).doesNotContain("COLLSCAN");
            assertThat(look.getInteger("docsExamined"))
                    .as("%s", look.get("command"))
                    .isLessThanOrEqualTo(2 * ROWS);
            assertThat(look.getInteger("keysExamined"))
                    .as("%s", look.get("command"))
                    .isLessThanOrEqualTo(2 * ROWS + 2 * Buckets.COUNT);
        });
    }

    @Test
    void anActOnAllThatMatchReadsNoMoreThanItMayEither() {
        insert(SOME, Field.COMPLETED);
        MongoOperatorStore store = new MongoOperatorStore(mongo.source(), ROWS);
        Selection none =
                new Selection.Matching(EventFilter.ALL.withState(State.DONE).withEventType("None"));

        profile(2);
        ChangedEvents first = store.replay(none, null, 10, ANNA);
        profile(0);

        assertThat(first.eventIds()).isEmpty();
        assertThat(first.next()).isNotNull();
        assertThat(profiled())
                .allSatisfy(look -> assertThat(look.getInteger("docsExamined")).isLessThanOrEqualTo(ROWS));
        int calls = 1;
        for (@Nullable String after = first.next(); after != null; calls++) {
            after = store.replay(none, after, 10, ANNA).next();
        }
        assertThat(calls).isEqualTo(SOME / ROWS + 1);
    }

    /** Whole batches are done at one time. */
    @Test
    void pagesEventsThatWereDoneAtTheSameTime() {
        List<String> ids = insert(25, Field.COMPLETED);
        collections.events().updateMany(new Document(), Updates.set(Field.PROCESSED_AT, Date.from(BEGIN)));
        String later = insert(1, Field.COMPLETED).getFirst();
        collections
                .events()
                .updateOne(Filters.eq(later), Updates.set(Field.PROCESSED_AT, Date.from(BEGIN.plusMillis(1))));
        ids.add(later);

        for (int rows : List.of(3, 5, 100)) {
            assertThat(pages(new MongoOperatorStore(mongo.source(), rows), EventFilter.ALL.withState(State.DONE), 4))
                    .containsExactlyElementsOf(ids.reversed());
            assertThat(pages(
                            new MongoOperatorStore(mongo.source(), rows),
                            EventFilter.ALL.withState(State.DONE).withTenantId("t"),
                            4))
                    .containsExactlyElementsOf(ids.reversed());
        }
    }

    @Test
    void searchesGoThroughIndexesThatAnOperatorMayChooseToHave() {
        insert(SOME, Field.COMPLETED);
        MongoSchema schema = new MongoSchema(mongo.source());
        MongoOperatorStore store = new MongoOperatorStore(mongo.source(), ROWS);
        assertThat(store.searchIndexes()).isEqualTo(new SearchIndexes(false, false));
        EventFilter byKey = EventFilter.ALL.withKey("key-7");
        EventFilter byType = EventFilter.ALL.withEventType("Type-7").withState(State.DONE);
        assertThat(store.events(new EventQuery(byType, null, 50)).cut()).isTrue();

        schema.createSearchIndexes();
        schema.createSearchIndexes();

        assertThat(store.searchIndexes()).isEqualTo(new SearchIndexes(true, true));
        profile(2);
        assertThat(store.events(new EventQuery(byKey, null, 50)).events()).hasSize(SOME / 100);
        assertThat(store.events(new EventQuery(byType, null, 50)).events()).hasSize(SOME / 100);
        profile(0);
        assertThat(profiled())
                .allSatisfy(look -> assertThat(look.getInteger("docsExamined")).isLessThanOrEqualTo(SOME / 100));
        assertThat(profiled())
                .extracting(look -> look.getString("planSummary"))
                .anyMatch(plan -> plan.contains(Field.MESSAGE_GROUP))
                .anyMatch(plan -> plan.contains(Field.TYPE));
        schema.dropSearchIndexes();
        schema.dropSearchIndexes();
        assertThat(store.searchIndexes()).isEqualTo(new SearchIndexes(false, false));
    }

    @Test
    void aCorruptEventStaysDeadUntilItIsCorrectedAndDelaysNoOther() {
        String broken = insert(1, Field.FAILED).getFirst();
        String whole = insert(1, Field.FAILED).getFirst();
        collections.events().updateOne(Filters.eq(broken), Updates.unset(Field.TYPE));
        MongoOperatorStore store = new MongoOperatorStore(mongo.source());

        assertThatThrownBy(() -> store.replay(new Selection.Ids(List.of(broken)), null, 10, ANNA))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(broken)
                .hasMessageContaining("correct its document");
        Selection dead = new Selection.Matching(EventFilter.ALL.withState(State.DEAD));
        assertThat(store.replay(dead, null, 10, ANNA).eventIds()).containsExactly(whole);
        assertThat(store.find(broken).map(OutboxEvent::status)).contains(EventStatus.DEAD);

        assertThat(store.discard(dead, null, 10, ANNA).eventIds()).containsExactly(broken);
        assertThat(store.events(new EventQuery(EventFilter.ALL.withState(State.DONE), null, 10))
                        .events())
                .extracting(EventSummary::eventId)
                .containsExactly(broken);
        assertThat(new MongoStatisticsStore(mongo.source()).statistics(100).dead())
                .isEqualTo(new BoundedCount(0, false));
    }

    @Test
    void anEventThatAReplayMendsIsReplayed() {
        String id = insert(1, Field.FAILED).getFirst();
        collections.events().updateOne(Filters.eq(id), Updates.set(Field.DUE_AT, "soon"));

        assertThat(new MongoOperatorStore(mongo.source())
                        .replay(new Selection.Ids(List.of(id)), null, 10, ANNA)
                        .eventIds())
                .containsExactly(id);
    }

    @Test
    void discardsEventsThatHaveNoPlaceToo() {
        List<String> ids = insert(2, Field.FAILED);
        collections.events().updateOne(Filters.eq(ids.getLast()), Updates.set(Field.SEQ, 5L));
        Selection dead = new Selection.Matching(EventFilter.ALL.withState(State.DEAD));

        assertThat(new MongoOperatorStore(mongo.source())
                        .discard(dead, null, 10, ANNA)
                        .eventIds())
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void refusesAPlaceOfAnotherSearch() {
        insert(10, Field.FAILED);
        MongoOperatorStore store = new MongoOperatorStore(mongo.source());
        String place = store.events(new EventQuery(EventFilter.ALL.withState(State.DEAD), null, 5))
                .next();

        assertThatThrownBy(() -> store.events(new EventQuery(EventFilter.ALL, place, 5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another search");
    }

    private static List<String> pages(MongoOperatorStore store, EventFilter filter, int limit) {
        List<String> ids = new ArrayList<>();
        @Nullable String after = null;
        int pages = 0;
        do {
            EventPage page = store.events(new EventQuery(filter, after, limit));
            page.events().forEach(event -> ids.add(event.eventId()));
            after = page.next();
            assertThat(++pages).isLessThan(100);
        } while (after != null);
        return ids;
    }

    private static List<String> insert(int count, String status) {
        List<String> ids = new ArrayList<>();
        List<Document> events = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            String key = "key-" + n % 100;
            int hash = KeyHash.of(key);
            Date time = Date.from(BEGIN.plusMillis(n));
            String id = Ulids.SYSTEM.next();
            ids.add(id);
            Document event = new Document(Field.ID, id)
                    .append(Field.TYPE, "Type-" + n % 100)
                    .append(Field.MESSAGE_GROUP, key)
                    .append(Field.TENANT_ID, "t")
                    .append(Field.KEY_HASH, hash)
                    .append(Field.BUCKET, Buckets.of(hash))
                    .append(Field.PAYLOAD, new Binary(new byte[10]))
                    .append(Field.STATUS, status)
                    .append(Field.RETRY_COUNT, 0)
                    .append(Field.OCCURRED_AT, time)
                    .append(Field.CREATED_AT, time)
                    .append(Field.DUE_AT, time)
                    .append(Field.SEQ, new BsonTimestamp());
            if (status.equals(Field.COMPLETED)) {
                event.append(Field.PROCESSED_AT, time);
            }
            events.add(event);
        }
        collections.events().insertMany(events);
        return ids;
    }

    /** The server writes down what each command on the database has read. */
    private static void profile(int level) {
        if (level > 0) {
            collections.database().getCollection("system.profile").drop();
        }
        collections.database().runCommand(new Document("profile", level));
    }

    private static List<Document> profiled() {
        Document reads = new Document("ns", new Document("$regex", "outbox_event$"))
                .append("docsExamined", new Document("$exists", true));
        return collections
                .database()
                .getCollection("system.profile")
                .find(reads)
                .into(new ArrayList<>());
    }
}
