package outbox.jdbc;

import static java.util.Comparator.reverseOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.internal.event.JdbcRetentionStore;
import outbox.jdbc.internal.operations.JdbcOperatorStore;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.TimeSource;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.OperatorStore.SearchIndexes;
import outbox.spi.operations.Selection;

/** What the contract of all stores cannot reach: indexes, ids of other programs, locks, and rows that go with an event. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
abstract class OperatorStatements {

    private static final OperatorAction ANNA = new OperatorAction("anna", "because");
    private static final String UUID = "f47ac10b-58cc-4372-a567-0e02b2c3d479";

    private TestDatabase database;
    private JdbcOperatorStore store;

    abstract TestDatabase openDatabase();

    @BeforeEach
    void open() {
        database = openDatabase();
        new SchemaInstaller(database.connections()).install();
        store = new JdbcOperatorStore(database.connections(), TableNames.DEFAULT, JdbcOperatorStore.ROWS_PER_STATEMENT);
    }

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    @Test
    void indexesOfSearchesAreMadeAndDroppedWhenAsked() {
        SchemaInstaller installer = new SchemaInstaller(database.connections());
        assertThat(store.searchIndexes()).isEqualTo(new SearchIndexes(false, false));
        installer.createSearchIndexes();
        installer.createSearchIndexes();
        assertThat(store.searchIndexes()).isEqualTo(new SearchIndexes(true, true));
        assertThat(installer.searchIndexes()).isEqualTo(new SearchIndexes(true, true));
        installer.dropSearchIndexes();
        installer.dropSearchIndexes();
        assertThat(store.searchIndexes()).isEqualTo(new SearchIndexes(false, false));
        new SchemaInstaller(database.connections()).check();
    }

    @Test
    void aSearchFindsTheSameWithAndWithoutItsIndex() throws SQLException {
        for (int i = 0; i < 60; i++) {
            publish("T" + i % 3, "key-" + i % 4, null);
        }
        database.execute("UPDATE outbox_event SET status = 1, done_at = created_at WHERE event_type = 'T0'");
        database.execute("UPDATE outbox_event SET status = 3 WHERE event_type = 'T1' AND ordering_key = 'key-1'");
        Instant middle = publish("T0", "key-1", null);
        List<EventFilter> filters = new ArrayList<>();
        for (EventFilter filter : List.of(
                EventFilter.ALL.withKey("key-1"),
                EventFilter.ALL.withEventType("T0"),
                EventFilter.ALL.withEventType("T1").withKey("key-1"))) {
            filters.add(filter);
            filters.add(filter.withState(State.DONE));
            filters.add(filter.withState(State.DEAD));
            filters.add(filter.createdBetween(null, middle));
            filters.add(filter.createdBetween(middle, null));
            filters.add(filter.withState(State.DONE).createdBetween(middle.minusSeconds(600), middle));
        }
        List<List<String>> without = filters.stream().map(this::walk).toList();
        List<Object> counted = filters.stream().map(this::count).toList();

        new SchemaInstaller(database.connections()).createSearchIndexes();

        for (int i = 0; i < filters.size(); i++) {
            assertThat(walk(filters.get(i)))
                    .as(filters.get(i).describe())
                    .containsExactlyInAnyOrderElementsOf(without.get(i))
                    .doesNotHaveDuplicates();
            assertThat(count(filters.get(i))).as(filters.get(i).describe()).isEqualTo(counted.get(i));
        }
    }

    private Object count(EventFilter filter) {
        return store.count(new Selection.Matching(filter), 1_000);
    }

    @Test
    void pagesEventsThatWereCreatedAndDoneAtOneTime() throws SQLException {
        for (int i = 0; i < 10; i++) {
            publish("T", null, "one-time-" + i * 7 % 10);
        }
        database.execute("UPDATE outbox_event SET status = 3, created_at = '2026-01-01 00:00:00'");
        assertThat(walk(EventFilter.ALL.withState(State.DEAD))).hasSize(10).isSortedAccordingTo(reverseOrder());
        database.execute("UPDATE outbox_event SET status = 1, done_at = '2026-01-01 00:00:00'");
        assertThat(walk(EventFilter.ALL.withState(State.DONE))).hasSize(10).isSortedAccordingTo(reverseOrder());
    }

    @Test
    void findsByTimeWhateverAnIdLooksLike() throws SQLException {
        Instant before = publish("Before", null, null);
        for (String id :
                List.of(UUID, "00000000-0000-0000-0000-000000000001", "018f3c2e-58cc-7372-a567-0e02b2c3d479")) {
            publish("Foreign", null, id);
        }
        Instant later = publish("After", null, null);

        EventFilter filter = EventFilter.ALL.createdBetween(before.plusNanos(1_000), later);
        assertThat(walk(filter))
                .containsExactlyInAnyOrder(
                        UUID, "00000000-0000-0000-0000-000000000001", "018f3c2e-58cc-7372-a567-0e02b2c3d479");
        database.execute("UPDATE outbox_event SET status = 1, done_at = created_at");
        assertThat(walk(filter.withState(State.DONE))).hasSize(3);
        assertThat(store.replay(new Selection.Matching(filter), null, 100, ANNA).eventIds())
                .hasSize(3);
    }

    @Test
    void refusesAPlaceThatIsNoneOrIsInAnotherSearch() throws SQLException {
        for (int i = 0; i < 3; i++) {
            publish("T", "k", null);
        }
        EventPage page = store.events(new EventQuery(EventFilter.ALL, null, 1));
        assertThatThrownBy(() -> store.events(new EventQuery(EventFilter.ALL, "nonsense", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"nonsense\" is no cursor");
        for (State state : List.of(State.PENDING, State.RETRY, State.DEAD, State.DONE)) {
            assertThatThrownBy(() -> store.events(new EventQuery(EventFilter.ALL.withState(state), page.next(), 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is a cursor of another search");
        }
    }

    @Test
    void aReplayOfWhatMatchesPassesOverWhatSomebodyHasLocked() throws SQLException {
        publish("T", "k", UUID);
        publish("T", "k", null);
        database.execute("UPDATE outbox_event SET status = 3, last_error = 'x'");
        try (Connection locking = database.dataSource().getConnection()) {
            locking.setAutoCommit(false);
            try (Statement statement = locking.createStatement()) {
                statement
                        .executeQuery("SELECT * FROM outbox_event WHERE event_id = '" + UUID + "' FOR UPDATE")
                        .close();
            }
            assertThat(store.replay(new Selection.Matching(EventFilter.ALL), null, 100, ANNA)
                            .eventIds())
                    .hasSize(1)
                    .doesNotContain(UUID);
            locking.rollback();
        }
    }

    @Test
    void whatIsKeptOfAnEventGoesWhenItIsPurged() throws SQLException {
        editAndReplay();
        database.execute("UPDATE outbox_event SET status = 1, done_at = created_at");
        assertThat(new JdbcRetentionStore(database.connections(), TableNames.DEFAULT).purgeDone(Duration.ZERO, 10))
                .isEqualTo(1);
        assertNothingIsKept();
    }

    @Test
    void whatIsKeptOfAnEventGoesWhenItIsDeletedAtItsEnd() throws SQLException {
        for (SettleItem other : new @Nullable SettleItem[] {null, failed()}) {
            editAndReplay();
            database.execute("UPDATE outbox_event SET claim_token = 'token' WHERE event_id = '" + UUID + "'");
            SettleItem done = new SettleItem(new Settlement.Done(new Claim(UUID, "token")), 0, "there");
            new JdbcPartitionStore(
                            database.connections(), TableNames.DEFAULT, TimeSource.SYSTEM, Duration.ofSeconds(10))
                    .settle(new SettleRequest(
                            new Fence.Tokens(),
                            "node",
                            other == null ? List.of(done) : List.of(done, other),
                            DoneRows.DELETE));
            assertThat(store.find(UUID)).isEmpty();
            assertNothingIsKept();
        }
    }

    // Not every statement of a settlement is the same when something failed beside it.
    private static SettleItem failed() {
        return new SettleItem(
                new Settlement.Retry(new Claim("no such event", "token"), Duration.ZERO, "x"), 0, "there");
    }

    private void editAndReplay() throws SQLException {
        publish("T", "k", UUID);
        database.execute("UPDATE outbox_event SET status = 3, last_error = 'x', last_attempt_at = created_at");
        assertThat(store.edit(UUID, new EventEdit("[1]", Map.of("h", "v")), ANNA))
                .isTrue();
        assertThat(store.replay(new Selection.Ids(List.of(UUID)), null, 1, ANNA).eventIds())
                .containsExactly(UUID);
        assertThat(store.history(UUID).acts()).hasSize(2);
        assertThat(Objects.requireNonNull(store.history(UUID).original()).payloadJson())
                .isEqualTo("{}");
    }

    private void assertNothingIsKept() throws SQLException {
        assertThat(store.history(UUID).acts()).isEmpty();
        assertThat(store.history(UUID).original()).isNull();
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement()) {
            for (String table : List.of("outbox_audit_event", "outbox_original")) {
                assertThat(LargeTable.number(statement, "SELECT COUNT(*) AS n FROM " + table, "n"))
                        .isZero();
            }
            assertThat(LargeTable.number(statement, "SELECT COUNT(*) AS n FROM outbox_audit", "n"))
                    .isPositive();
        }
    }

    @Test
    void anEditThatChangesNothingIsNotWrittenDown() throws SQLException {
        publish("T", "k", UUID);
        database.execute("UPDATE outbox_event SET status = 3, last_error = 'x'");
        EventEdit edit = new EventEdit("[1]", Map.of());
        assertThat(store.edit(UUID, edit, ANNA)).isTrue();
        assertThat(store.edit(UUID, edit, ANNA)).isTrue();
        assertThat(store.history(UUID).acts()).hasSize(1);
    }

    /** All pages, three events each. */
    private List<String> walk(EventFilter filter) {
        List<String> ids = new ArrayList<>();
        @Nullable String after = null;
        do {
            EventPage page = store.events(new EventQuery(filter, after, 3));
            page.events().stream().map(EventSummary::eventId).forEach(ids::add);
            after = page.next();
            assertThat(ids.size()).isLessThan(1_000);
        } while (after != null);
        return ids;
    }

    /** Publishes one event and gives the time at which it was created. */
    private Instant publish(String type, @Nullable String key, @Nullable String id) throws SQLException {
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        OutboxClient client = OutboxClient.storeOnly(new JdbcOutboxRepository().publisher(context));
        EventEnvelope event = EventEnvelope.builder(type)
                .eventId(id)
                .orderingKey(key)
                .payloadJson("{}")
                .build();
        new JdbcTransactionManager(database.connections(), context).run(conn -> client.publish(event));
        return store.find(event.eventId()).orElseThrow().createdAt();
    }
}
