package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.internal.KeyHash;
import outbox.jdbc.internal.diagnosis.JdbcDiagnosisStore;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.model.ClaimTerms;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.FindingCode;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.Selection;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.Horizon;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.LanePage;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PeekRequest;
import outbox.spi.relay.PeekResult;
import outbox.testkit.StoreFixture;

/** Rows that nobody could read or find: refused where they are written, and set aside where they are there all the same. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
abstract class BadRowContract {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
    private static final OperatorAction ACT = new OperatorAction("operator", "test");

    private TestDatabase database;
    private JdbcStoreFixture fixture;
    private String good;

    abstract TestDatabase openDatabase();

    /** Makes the column take null, as a table may that somebody has altered. */
    abstract String allowNull(String column);

    /** The same on MySQL and MariaDB, where the whole column has to be said. */
    static String nullable(String column) {
        String type = switch (column) {
            case "event_type" -> "VARCHAR(128)";
            case "attempts", "key_hash" -> "INT";
            default -> "DATETIME(6)";
        };
        return "ALTER TABLE outbox_event MODIFY " + column + " " + type + " NULL";
    }

    @BeforeEach
    void open() {
        database = openDatabase();
        new SchemaInstaller(database.connections()).install();
        fixture = JdbcStoreFixture.on(database);
        EventEnvelope event = EventEnvelope.builder("Good")
                .orderingKey("key")
                .payloadJson("{}")
                .build();
        try (StoreFixture.Session session = fixture.newSession()) {
            session.begin();
            session.store().store(List.of(event), null);
            session.commit();
        }
        good = event.eventId();
    }

    @AfterEach
    void close() {
        if (database != null) {
            fixture.close();
            database.close();
        }
    }

    // ---- refused -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {4, -2, 6, 9, -1, 126})
    void anUnknownStatusIsRefusedWhereItIsWritten(int status) {
        assertRefused("outbox_event_status_known", () -> insert("bad", status, 7));
        assertRefused(
                "outbox_event_status_known", () -> database.execute("UPDATE outbox_event SET status = " + status));
    }

    @Test
    void aNegativeHashIsRefusedWhereItIsWritten() {
        assertRefused("outbox_event_hash_known", () -> insert("bad", 0, -7));
    }

    @Test
    void theMigrationTakesATableThatHasSuchRows() throws SQLException {
        asOnAnOlderTable();
        insert("unknown", 4, 7);
        insert("negative", 0, -7);
        insert("done", 1, -8);
        database.execute("UPDATE outbox_meta SET schema_version = 5");

        new SchemaInstaller(database.connections()).install();
        assertRefused("outbox_event_status_known", () -> insert("bad", 4, 7));
        assertRefused("outbox_event_hash_known", () -> insert("bad", 0, -7));

        poll();
        assertThat(fetched()).containsExactlyInAnyOrder(good, "negative");
        assertThat(number("SELECT status FROM outbox_event WHERE event_id = 'unknown'"))
                .isEqualTo(3);
        fixture.operatorStore().replay(new Selection.Ids(List.of("unknown", "done")), null, 10, ACT);
        assertThat(fetched()).contains("unknown");
    }

    // ---- set aside -----------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {4, -2, 6, 9, -1, 126})
    void anUnknownStatusStopsNoSlotAndNoLane(int status) throws SQLException {
        asOnAnOlderTable();
        insert("bad", status, KeyHash.of("key"));

        assertThat(fetched()).containsExactly(good);
        assertThat(fixture.relayStore().fetchLanes(new LaneFetch(Set.of(KeyHash.of("key")), 10, 1 << 20)))
                .singleElement()
                .satisfies(lane -> assertThat(lane.events())
                        .extracting(pending -> pending.event().eventId())
                        .containsExactly(good));
        poll();
        assertDeadBecauseOf("status " + status + " is unknown; 0, 1, 2 and 3 are known");
    }

    @Test
    void anUnknownStatusStopsNoDispatcher() throws SQLException {
        asOnAnOlderTable();
        database.execute("DELETE FROM outbox_event");
        insert("bad", 4, KeyHash.of("key"));
        insert("next", 0, KeyHash.of("key"));
        database.execute("UPDATE outbox_event SET ordering_key = 'key'");

        assertThat(claimed()).containsExactly("next");
        fixture.claimStore().open();
        assertDeadBecauseOf("status 4 is unknown");
    }

    @ParameterizedTest
    @ValueSource(strings = {"event_type", "occurred_at", "created_at", "attempts"})
    void aMissingValueStopsNothing(String column) throws SQLException {
        database.execute(allowNull(column));
        insert("bad", 0, KeyHash.of("key"));
        database.execute("UPDATE outbox_event SET " + column + " = NULL WHERE event_id = 'bad'");

        assertThat(fetched()).containsExactly(good);
        assertDeadBecauseOf(column + " is missing");

        insert("claimed", 0, KeyHash.of("another"));
        database.execute("UPDATE outbox_event SET " + column + " = NULL WHERE event_id = 'claimed'");
        assertThat(claimed()).containsExactly(good);
        assertThat(number("SELECT COUNT(*) FROM outbox_event WHERE status = 3")).isEqualTo(2);
    }

    @Test
    void aMissingDueTimeIsFound() throws SQLException {
        database.execute(allowNull("available_at"));
        insert("bad", 0, 7);
        database.execute("UPDATE outbox_event SET available_at = NULL WHERE event_id = 'bad'");

        poll();

        assertDeadBecauseOf("available_at is missing");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, -6, -7, Integer.MIN_VALUE})
    void aNegativeHashBecomesThatOfTheKey(int hash) throws SQLException {
        asOnAnOlderTable();
        insert("bad", 0, hash);

        assertThat(poll().partitions()).isNotEmpty();

        assertThat(fetched()).containsExactly(good, "bad");
        assertThat(number("SELECT key_hash FROM outbox_event WHERE event_id = 'bad'"))
                .isEqualTo(KeyHash.of("bad"));
        assertThat(new JdbcPartitionStore(database.connections())
                        .peek(new PeekRequest(TERMS, positions(Long.MAX_VALUE - 1), Instant.EPOCH))
                        .lanesDue())
                .as("found as what came due is, also behind a bound")
                .contains(KeyHash.of("bad"));
    }

    @Test
    void aNegativeHashThatCannotBeWrittenKeepsNoNodeFromJoiningAndNoOtherFromItsHash() throws SQLException {
        asOnAnOlderTable();
        insert("bad", 0, -7);
        insert("negative", 0, -1);
        // What somebody has ruled, and this library does not know of.
        database.execute(
                "ALTER TABLE outbox_event ADD CONSTRAINT of_somebody CHECK (event_id <> 'bad' OR key_hash < 0)");

        Member member = new Member("session", "node", 1, "test", "here");
        fixture.clusterStore().join(member, TERMS, Duration.ofMinutes(1));

        assertThat(number("SELECT key_hash FROM outbox_event WHERE event_id = 'negative'"))
                .isEqualTo(KeyHash.of("negative"));
        assertThat(poll().partitions()).isNotEmpty();
        assertThat(fetched()).contains(good, "negative");
    }

    @Test
    void manyRowsOfUnknownStatusAndANegativeHashAreDeadByAndBy() throws SQLException {
        database.execute("ALTER TABLE outbox_event DROP CONSTRAINT outbox_event_status_known");
        database.execute("ALTER TABLE outbox_event DROP CONSTRAINT outbox_event_hash_known");
        insert(IntStream.range(0, 600).mapToObj(n -> row("bad-" + n, 4, -7)).collect(Collectors.joining(", ")));
        // As a table is that was migrated with such rows in it.
        database.execute("ALTER TABLE outbox_event ADD CONSTRAINT of_somebody CHECK (status <> 4 OR key_hash < 0)");

        fixture.claimStore().open();
        fixture.claimStore().open();

        assertThat(number("SELECT COUNT(*) FROM outbox_event WHERE status = 3")).isEqualTo(600);
    }

    @Test
    void aNegativeHashThatASlotShowsIsSetRightBeforeItIsRead() {
        asOnAnOlderTable();
        insert("bad", 0, -6);

        assertThat(fetched()).containsExactlyInAnyOrder(good, "bad");
        assertThat(fixture.relayStore().fetchLanes(new LaneFetch(Set.of(KeyHash.of("bad")), 10, 1 << 20)))
                .singleElement()
                .satisfies(lane -> assertThat(lane.events()).hasSize(1));
    }

    @Test
    void aMissingHashBecomesThatOfTheKey() throws SQLException {
        database.execute(allowNull("key_hash"));
        insert("bad", 0, 7);
        database.execute("UPDATE outbox_event SET key_hash = NULL WHERE event_id = 'bad'");

        poll();

        assertThat(fetched()).containsExactlyInAnyOrder(good, "bad");
    }

    @Test
    void aRowThatCannotBeWrittenIsLeftOutWithItsKeyAndOthersGoOn() throws SQLException {
        database.execute(allowNull("event_type"));
        insert("bad", 0, KeyHash.of("bad"));
        database.execute("UPDATE outbox_event SET event_type = NULL WHERE event_id = 'bad'");
        // What somebody has ruled, and this library does not know of.
        database.execute("ALTER TABLE outbox_event ADD CONSTRAINT of_somebody CHECK (status <> 3)");
        JdbcPartitionStore store = new JdbcPartitionStore(database.connections());

        assertThat(fetched(store)).containsExactly(good);
        assertThat(IntStream.range(0, 6)
                        .mapToObj(slot ->
                                store.fetch(List.of(allOf(slot))).getFirst().horizon()))
                .as("no reader may pass the rows of its key")
                .containsOnly(Horizon.UNKNOWN);
        List<LanePage> lanes =
                store.fetchLanes(new LaneFetch(Set.of(KeyHash.of("bad"), KeyHash.of("key")), 10, 1 << 20));
        assertThat(lanes)
                .extracting(LanePage::keyHash)
                .as("a lane that cannot be read does not come back as an empty one")
                .containsExactly(KeyHash.of("key"));
        assertThat(lanes)
                .flatExtracting(lane -> lane.events())
                .extracting(pending -> pending.event().eventId())
                .containsExactly(good);
        assertThat(store.peek(new PeekRequest(TERMS, positions(0), null)).partitions())
                .containsExactly(TERMS.partitionOf(KeyHash.of("key")));
        fixture.claimStore().open();
        assertThat(claimed()).containsExactly(good);
    }

    // ---- people --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {4, 9, -2})
    void aRowOfUnknownStatusIsShownAsDeadAndCanBeDiscardedOrReplayed(int status) throws SQLException {
        asOnAnOlderTable();
        insert("bad", status, KeyHash.of("bad"));
        insert("worse", status, KeyHash.of("worse"));

        List<EventSummary> page = fixture.operatorStore()
                .events(new EventQuery(EventFilter.ALL, null, 10))
                .events();
        assertThat(page).hasSize(3);
        assertThat(page)
                .filteredOn(event -> event.eventId().equals("bad"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.state().status()).isEqualTo(EventStatus.DEAD);
                    assertThat(event.state().lastError()).contains("status " + status + " is unknown");
                });
        assertThat(fixture.operatorStore().find("bad")).isPresent();

        assertThat(fixture.operatorStore()
                        .discard(new Selection.Ids(List.of("worse")), null, 10, ACT)
                        .eventIds())
                .containsExactly("worse");
        assertThat(fixture.operatorStore()
                        .replay(new Selection.Ids(List.of("bad")), null, 10, ACT)
                        .eventIds())
                .containsExactly("bad");
        assertThat(fetched()).containsExactlyInAnyOrder(good, "bad");
    }

    @Test
    void theDoctorNamesWhatNoSlotShows() {
        asOnAnOlderTable();
        insert("odd", 9, 7);
        insert("even", -2, 7);
        insert("negative", 0, -7);
        insert("settled", 1, -7);

        assertThat(new JdbcDiagnosisStore(database.connections()).findings())
                .filteredOn(finding -> finding.is(FindingCode.ROWS_UNREADABLE))
                .singleElement()
                .satisfies(finding -> assertThat(finding.evidence())
                        .contains(
                                "event odd has status 9", "event even has status -2", "event negative has key_hash -7")
                        .doesNotContain("settled", good));
        poll();
        assertThat(new JdbcDiagnosisStore(database.connections()).findings())
                .noneMatch(finding -> finding.is(FindingCode.ROWS_UNREADABLE));
    }

    @Test
    void theDoctorNamesARowThatCannotBeSetDeadAndKeepsItsKeyWaiting() {
        for (String column : List.of("event_type", "occurred_at", "created_at", "available_at", "attempts")) {
            database.execute(allowNull(column)); // On MySQL and MariaDB attempts lose their default with it.
            insert("without-" + column, 0, KeyHash.of(column));
            database.execute("UPDATE outbox_event SET " + column + " = NULL WHERE event_id = 'without-" + column + "'");
        }
        database.execute("ALTER TABLE outbox_event ADD CONSTRAINT of_somebody CHECK (status <> 3)");

        assertThat(fetched()).containsExactly(good);
        assertThat(new JdbcDiagnosisStore(database.connections()).findings())
                .filteredOn(finding -> finding.is(FindingCode.ROWS_UNREADABLE))
                .singleElement()
                .satisfies(finding -> assertThat(finding.evidence())
                        .contains(
                                "event without-event_type has event_type null",
                                "event without-occurred_at has occurred_at null",
                                "event without-created_at has created_at null",
                                "event without-attempts has attempts null",
                                "event without-available_at has available_at null")
                        .doesNotContain(good, "and more"));
    }

    // ---- helpers -------------------------------------------------------------------------------------------------

    private static void assertRefused(String constraint, ThrowingCallable write) {
        assertThatThrownBy(write)
                .rootCause()
                .satisfies(e -> assertThat(e.getMessage()).containsIgnoringCase(constraint));
    }

    private void asOnAnOlderTable() {
        for (String constraint : List.of("status_known", "hash_known")) {
            database.execute("ALTER TABLE outbox_event DROP CONSTRAINT outbox_event_" + constraint);
        }
    }

    private void insert(String id, int status, int hash) {
        insert(row(id, status, hash));
    }

    private void insert(String rows) {
        database.execute("INSERT INTO outbox_event (event_id, event_type, key_hash, payload, status, occurred_at,"
                + " available_at, created_at) VALUES " + rows);
    }

    private String row(String id, int status, int hash) {
        String now = database.product().matches("PostgreSQL|H2") ? "CURRENT_TIMESTAMP" : "UTC_TIMESTAMP(6)";
        return "('" + id + "', 'Bad', " + hash + ", '{}', " + status + ", " + now + ", " + now + ", " + now + ")";
    }

    private PeekResult poll() {
        return fixture.relayStore().peek(new PeekRequest(TERMS, positions(0), null));
    }

    private static List<PeekRequest.Position> positions(long afterSeq) {
        return IntStream.range(0, 6)
                .mapToObj(slot -> new PeekRequest.Position(slot, afterSeq, Set.of()))
                .toList();
    }

    private List<String> fetched() {
        return fetched((JdbcPartitionStore) fixture.relayStore());
    }

    private static List<String> fetched(JdbcPartitionStore store) {
        List<PartitionFetch> requests =
                IntStream.range(0, 6).mapToObj(BadRowContract::allOf).toList();
        store.fetch(requests);
        return requests.stream()
                .flatMap(request -> store.fetch(List.of(request)).getFirst().events().stream())
                .sorted(Comparator.comparingLong(FetchedEvent::seq))
                .map(pending -> pending.event().eventId())
                .toList();
    }

    private static PartitionFetch allOf(int slot) {
        return new PartitionFetch(TERMS, slot, 0, Set.of(), 10, 1 << 20);
    }

    private List<String> claimed() {
        ClaimStore dispatch = fixture.claimStore();
        return Stream.of("one", "two")
                .map(token -> new ClaimTerms(token, Duration.ofMinutes(1)))
                .flatMap(terms -> dispatch.claim(new ClaimRequest(terms, Duration.ZERO, 10, 1 << 20)).stream())
                .map(OutboxEvent::eventId)
                .toList();
    }

    private void assertDeadBecauseOf(String reason) {
        assertThat(fixture.operatorStore().find("bad")).hasValueSatisfying(event -> {
            assertThat(event.status()).isEqualTo(EventStatus.DEAD);
            assertThat(event.state().lastError()).startsWith("cannot be read: ").contains(reason);
        });
    }

    private long number(String sql) throws SQLException {
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
