package outbox.jdbc.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.TableNames;
import outbox.jdbc.TestDatabase;
import outbox.spi.TimeSource;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Horizon;
import outbox.spi.relay.Numbering;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PeekRequest.Position;

/** The horizon against writers that commit late, step by step. */
class PostgresHorizonIT {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 1);
    private static final PostgresHorizon.Before BEFORE = new PostgresHorizon(TimeSource.SYSTEM).before();

    private final AtomicLong nanos = new AtomicLong();
    private TestDatabase database;
    private JdbcPartitionStore store;

    @BeforeEach
    void open() {
        database = TestDatabase.postgres();
        new SchemaInstaller(database.connections()).install();
        new JdbcClusterAdmin(database.connections(), TableNames.DEFAULT).changePartitions(1, "test");
        store = new JdbcPartitionStore(
                database.connections(), TableNames.DEFAULT, new SteppingTime(), Duration.ofSeconds(10));
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** Every look is long after the one before, so that none is spared a note for having come too soon. */
    private final class SteppingTime implements TimeSource {
        @Override
        public Instant instant() {
            return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
            return nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        }
    }

    @Test
    void isZeroWhileNothingWasEverInserted() {
        assertThat(fetch().horizon()).isEqualTo(Horizon.UNKNOWN);
        assertThat(fetch().horizon()).isEqualTo(Horizon.UNKNOWN);
    }

    @Test
    void reachesTheTopWhenAllHaveEnded() throws SQLException {
        long first = insertAndCommit();
        assertThat(upTo(fetch())).isEqualTo(first);
        long second = insertAndCommit();
        assertThat(upTo(fetch())).isEqualTo(first); // What is beyond it was not known before this look.
        assertThat(upTo(fetch())).isEqualTo(second);
    }

    @Test
    void sendsItsReaderBackWhenNumbersGoBack() throws SQLException {
        insertAndCommit();
        long before = insertAndCommit();
        assertThat(upTo(fetch())).isEqualTo(before);
        database.execute("TRUNCATE outbox_event RESTART IDENTITY");
        insertAndCommit();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());

        assertThat(store.fetch(List.of(request(before))).getFirst().horizon()).isEqualTo(Horizon.SEQUENCE_RESET);
        assertThat(upTo(fetch())).isEqualTo(1);
        assertThat(fetch().events()).hasSize(1);
    }

    /** Otherwise a writer could get an id above that of the note and a seq below that of the note, between the two. */
    @Test
    void theIdOfANoteIsGivenOutAfterItsSeqWasRead() throws Exception {
        insertAndCommit();
        try (Connection conn = transaction()) {
            // Nobody can read the sequence's value before this ends.
            execute(
                    conn,
                    "ALTER SEQUENCE " + text("SELECT pg_get_serial_sequence('outbox_event', 'seq')") + " NO CYCLE");
            CompletableFuture<PostgresHorizon.Note> note = new CompletableFuture<>();
            Thread.ofPlatform().daemon().start(() -> note.completeAsync(this::note, Runnable::run));
            awaitWaiterForTheSequence(note);
            long before = transactionIds();
            conn.rollback();

            assertThat(note.get(30, TimeUnit.SECONDS).seq()).isEqualTo(1);
            assertThat(note.get().xid()).isGreaterThan(before);
        }
    }

    private PostgresHorizon.Note note() {
        try (Connection conn = database.dataSource().getConnection()) {
            return store.note(conn);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitWaiterForTheSequence(CompletableFuture<?> note) throws Exception {
        for (int tries = 0; tries < 300; tries++) {
            if (text("SELECT count(*)::text FROM pg_locks WHERE NOT granted").equals("1")) {
                return;
            }
            try {
                note.get(100, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException stillAtIt) {
                assertThat(note).isNotDone();
            }
        }
        throw new AssertionError("the note did not wait for the sequence");
    }

    @Test
    void sendsEveryReaderBackOnceAnyFetchHasFoundTheSequenceSetBack() {
        PostgresHorizon horizon = new PostgresHorizon(new SteppingTime());
        PostgresHorizon.Snapshot first = new PostgresHorizon.Snapshot(1, 15, 90);
        Numbering former = page(horizon, 0, 0, null, first).numbering();
        PostgresHorizon.Before before = horizon.before();

        assertThat(isSentBack(page(horizon, 0, 15, former, new PostgresHorizon.Snapshot(1, 2, 91), before)))
                .isTrue();

        PostgresHorizon.Snapshot beyond = new PostgresHorizon.Snapshot(1, 26, 92);
        assertThat(horizon.isRenumbered(new Position(1, 15, former, Set.of()), beyond, horizon.before()))
                .isTrue();
        for (int slot = 0; slot < 2; slot++) {
            PartitionPage back = page(horizon, slot, 15, former, beyond);
            assertThat(isSentBack(back)).isTrue();
            assertThat(isSentBack(page(horizon, slot, 0, back.numbering(), beyond)))
                    .isFalse();
            assertThat(isSentBack(page(horizon, slot, 26, back.numbering(), beyond)))
                    .isFalse();
        }
    }

    @Test
    void sendsNoReaderBackBecauseFetchesEndInAnotherOrder() {
        PostgresHorizon horizon = new PostgresHorizon(new SteppingTime());
        Numbering numbering = page(horizon, 0, 0, null, new PostgresHorizon.Snapshot(1, 15, 90))
                .numbering();
        PostgresHorizon.Before before = horizon.before();
        page(horizon, 1, 0, null, new PostgresHorizon.Snapshot(1, 30, 92), before);

        assertThat(isSentBack(page(horizon, 0, 15, numbering, new PostgresHorizon.Snapshot(1, 20, 91), before)))
                .isFalse();
    }

    @Test
    void sendsAReaderBackThatHasTakenALateAnswerOfTheFormerNumbering() {
        PostgresHorizon horizon = new PostgresHorizon(new SteppingTime());
        PostgresHorizon.Snapshot next = new PostgresHorizon.Snapshot(2, 30, 92);
        Numbering late = page(horizon, 0, 0, null, new PostgresHorizon.Snapshot(1, 15, 90))
                .numbering();
        page(horizon, 0, 0, null, new PostgresHorizon.Snapshot(2, 1, 91)); // Its answer is lost.

        PartitionPage back = page(horizon, 0, 15, late, next);

        assertThat(isSentBack(back)).isTrue();
        assertThat(isSentBack(page(horizon, 0, 0, back.numbering(), next))).isFalse();
        assertThat(isSentBack(page(horizon, 0, 30, back.numbering(), next))).isFalse();
    }

    /** What a reader without a bound has in memory is of the former numbering, too. */
    @Test
    void sendsAReaderWithoutABoundBackUntilItHasTakenTheAnswer() {
        PostgresHorizon horizon = new PostgresHorizon(new SteppingTime());
        PostgresHorizon.Snapshot emptied = new PostgresHorizon.Snapshot(2, 3, 91);
        Numbering former = page(horizon, 0, 0, null, new PostgresHorizon.Snapshot(1, 15, 90))
                .numbering();

        assertThat(isSentBack(page(horizon, 0, 0, former, emptied))).isTrue();
        PartitionPage again = page(horizon, 0, 0, former, emptied);
        assertThat(isSentBack(again)).as("an answer may be lost").isTrue();
        assertThat(isSentBack(page(horizon, 0, 0, again.numbering(), emptied))).isFalse();
        assertThat(horizon.isRenumbered(new Position(0, 0, former, Set.of()), emptied, horizon.before()))
                .isTrue();
    }

    private static PartitionPage page(
            PostgresHorizon horizon,
            int slot,
            long afterSeq,
            @Nullable Numbering numbering,
            PostgresHorizon.Snapshot snapshot) {
        return page(horizon, slot, afterSeq, numbering, snapshot, horizon.before());
    }

    private static PartitionPage page(
            PostgresHorizon horizon,
            int slot,
            long afterSeq,
            @Nullable Numbering numbering,
            PostgresHorizon.Snapshot snapshot,
            PostgresHorizon.Before before) {
        ClusterLayout layout = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
        PartitionFetch fetch = new PartitionFetch(layout, slot, afterSeq, numbering, Set.of(), Set.of(), 10, 1 << 20);
        return horizon.page(fetch, List.of(), true, snapshot, before);
    }

    private static boolean isSentBack(PartitionPage page) {
        return page.horizon().equals(Horizon.SEQUENCE_RESET);
    }

    @Test
    void takesNoNoteFromBeforeNumbersWentBack() {
        PostgresHorizon horizon = new PostgresHorizon(new SteppingTime());
        horizon.recorded(new PostgresHorizon.Note(1, 20, 100));
        horizon.recorded(new PostgresHorizon.Note(1, 5, 200));

        assertThat(horizon.of(new PostgresHorizon.Snapshot(1, 1_000, 150), 3, BEFORE))
                .isZero();
        assertThat(horizon.of(new PostgresHorizon.Snapshot(1, 1_000, 201), 3, BEFORE))
                .isEqualTo(5);
    }

    @Test
    void sendsAReaderBackThatHasReadOnAnotherServer() {
        PostgresHorizon horizon = new PostgresHorizon(new SteppingTime());
        PostgresHorizon.Snapshot old = new PostgresHorizon.Snapshot(1, 1_000, 90);
        PostgresHorizon.Snapshot present = new PostgresHorizon.Snapshot(2, 1_000, 90);
        Numbering former = page(horizon, 0, 0, null, old).numbering();
        assertThat(isSentBack(page(horizon, 0, 20, former, old))).isFalse();

        assertThat(isSentBack(page(horizon, 0, 30, former, present))).isTrue();
        PartitionPage again = page(horizon, 0, 30, former, present);
        assertThat(isSentBack(again))
                .as("until it has begun anew: an answer may be lost")
                .isTrue();
        assertThat(isSentBack(page(horizon, 0, 0, again.numbering(), present))).isFalse();
        assertThat(isSentBack(page(horizon, 0, 40, again.numbering(), present))).isFalse();
    }

    @Test
    void staysBelowATransactionThatTookItsSeqEarlyAndCommitsLate() throws SQLException {
        long before = insertAndCommit();
        assertThat(upTo(fetch())).isEqualTo(before);
        try (Connection late = transaction()) {
            long early = insert(late);
            for (int look = 0; look < 5; look++) {
                insertAndCommit();
                assertThat(upTo(fetch())).isLessThan(early);
            }
            late.commit();
        }
        long newest = insertAndCommit();
        fetch();
        fetch();
        assertThat(upTo(fetch())).isEqualTo(newest);
    }

    @Test
    void staysBelowARunningTransactionThatIsNewerThanEverySnapshotKnows() throws SQLException {
        insertAndCommit();
        try (Connection newest = transaction()) {
            // The last to have got an id, and no other ends after it: it is in no list of any snapshot.
            long seq = insert(newest);
            JdbcPartitionStore fresh = new JdbcPartitionStore(
                    database.connections(), TableNames.DEFAULT, new SteppingTime(), Duration.ofSeconds(10));
            for (int look = 0; look < 5; look++) {
                assertThat(upTo(fresh.fetch(List.of(request())).getFirst())).isLessThan(seq);
                assertThat(upTo(fetch())).isLessThan(seq);
            }
            newest.commit();
        }
    }

    @Test
    void passesATransactionThatStaysOpenAndHasWrittenNoEvent() throws SQLException {
        try (Connection other = transaction()) {
            number(other, "SELECT pg_current_xact_id()::text::bigint");
            insertAndCommit();
            long newest = insertAndCommit();
            fetch();
            assertThat(upTo(fetch())).isEqualTo(newest);
            long later = insertAndCommit();
            fetch();
            fetch();
            assertThat(upTo(fetch())).isEqualTo(later);
            other.rollback();
        }
    }

    @Test
    void staysBelowAWriterThatStaysOpenBesideATransactionThatWritesNothing() throws SQLException {
        try (Connection other = transaction();
                Connection late = transaction()) {
            number(other, "SELECT pg_current_xact_id()::text::bigint");
            Savepoint savepoint = late.setSavepoint();
            long early = insert(late);
            late.releaseSavepoint(savepoint); // Its locks are the transaction's now.
            for (int look = 0; look < 5; look++) {
                insertAndCommit();
                assertThat(upTo(fetch())).isLessThan(early);
            }
            late.commit();
            long newest = insertAndCommit();
            fetch();
            fetch();
            assertThat(upTo(fetch())).isEqualTo(newest);
            other.rollback();
        }
    }

    @Test
    void aLookThatBeganBeforeTheWritersWereAskedDoesNotTrustTheAnswer() {
        PostgresHorizon horizon = new PostgresHorizon(new SteppingTime());
        assertThat(horizon.shouldRecord()).isTrue();
        PostgresHorizon.Note note = new PostgresHorizon.Note(1, 20, 100);
        horizon.recorded(note);
        PostgresHorizon.Before before = horizon.before();
        assertThat(horizon.shouldCheckWriters()).isEqualTo(note);
        horizon.checked(note, new PostgresHorizon.OpenWriters(1, List.of(101L)));
        PostgresHorizon.Snapshot heldBack = new PostgresHorizon.Snapshot(1, 1_000, 90);
        assertThat(horizon.of(heldBack, 25, before)).isZero();
        assertThat(horizon.of(heldBack, 25, horizon.before())).isEqualTo(20);
        assertThat(horizon.of(new PostgresHorizon.Snapshot(2, 1_000, 90), 25, horizon.before()))
                .isZero();
    }

    @Test
    void idsOfWritersGoInACircle() {
        long epoch = 3L << 32;
        PostgresHorizon.OpenWriters writers = new PostgresHorizon.OpenWriters(1, List.of(5L));
        assertThat(writers.anyBefore(epoch + 6)).isTrue();
        assertThat(writers.anyBefore(epoch + 5)).isFalse();
        assertThat(writers.anyBefore(epoch - 1))
                .describedAs("an id of the round before")
                .isFalse();
    }

    @Test
    void passesOverWhatWasRolledBack() throws SQLException {
        long rolledBack;
        try (Connection conn = transaction()) {
            rolledBack = insert(conn);
            conn.rollback();
        }
        assertThat(upTo(fetch())).isEqualTo(rolledBack);
    }

    @Test
    void anOldSnapshotIsNotGivenTheHorizonOfALaterOne() {
        PostgresHorizon horizon = new PostgresHorizon(new SteppingTime());
        horizon.recorded(new PostgresHorizon.Note(1, 20, 100));
        PostgresHorizon.Snapshot slow = new PostgresHorizon.Snapshot(1, 1_000, 90);
        assertThat(horizon.of(new PostgresHorizon.Snapshot(1, 1_000, 101), 25, BEFORE))
                .isEqualTo(20);
        assertThat(horizon.of(slow, 25, BEFORE)).isZero();
        assertThat(horizon.of(new PostgresHorizon.Snapshot(1, 1_000, 100), 25, BEFORE))
                .isZero();
    }

    @Test
    void notesOfAnotherServerMeanNothing() {
        PostgresHorizon horizon = new PostgresHorizon(new SteppingTime());
        horizon.recorded(new PostgresHorizon.Note(1, 20, 100));
        assertThat(horizon.of(new PostgresHorizon.Snapshot(2, 1_000, 500), 25, BEFORE))
                .isZero();
        assertThat(horizon.shouldRecord()).isTrue();
    }

    @Test
    void aBacklogThatNobodyAddsToNeedsOneNote() throws SQLException {
        for (int n = 0; n < 5; n++) {
            insertAndCommit();
        }
        long before = transactionIds();
        for (int look = 0; look < 10; look++) {
            fetch();
        }
        assertThat(transactionIds() - before).isLessThan(6); // The note, this question, perhaps a vacuum; not ten.
    }

    @Test
    void notesAreApartTheMoreTheLessTheyAreNeeded() {
        AtomicLong now = new AtomicLong();
        PostgresHorizon horizon = new PostgresHorizon(new TimeSource() {
            @Override
            public Instant instant() {
                return Instant.EPOCH;
            }

            @Override
            public long nanoTime() {
                return now.get();
            }
        });
        assertThat(horizon.shouldRecord()).isTrue();
        assertThat(horizon.shouldRecord())
                .describedAs("while one is being made")
                .isFalse();
        horizon.recorded(new PostgresHorizon.Note(1, 20, 100));
        assertThat(horizon.shouldRecord()).describedAs("while it does not hold").isFalse();
        horizon.of(new PostgresHorizon.Snapshot(1, 1_000, 101), 25, BEFORE);
        assertThat(horizon.shouldRecord()).describedAs("too soon").isFalse();
        now.addAndGet(Duration.ofMillis(24).toNanos());
        assertThat(horizon.shouldRecord())
                .describedAs("too soon for a few events")
                .isFalse();
        now.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(horizon.shouldRecord()).isTrue();

        horizon.recorded(new PostgresHorizon.Note(1, 30, 110));
        horizon.of(new PostgresHorizon.Snapshot(1, 1_000, 111), 230, BEFORE);
        now.addAndGet(Duration.ofMillis(4).toNanos());
        assertThat(horizon.shouldRecord()).describedAs("too soon for many").isFalse();
        now.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(horizon.shouldRecord()).isTrue();
    }

    private static long upTo(PartitionPage page) {
        return page.horizon() instanceof Horizon.UpTo(long seq) ? seq : 0;
    }

    private PartitionPage fetch() {
        return store.fetch(List.of(request())).getFirst();
    }

    private static PartitionFetch request() {
        return request(0);
    }

    private static PartitionFetch request(long afterSeq) {
        return new PartitionFetch(TERMS, 0, afterSeq, Set.of(), 1_000, 1 << 20);
    }

    private long insertAndCommit() throws SQLException {
        try (Connection conn = transaction()) {
            long seq = insert(conn);
            conn.commit();
            return seq;
        }
    }

    private static long insert(Connection conn) throws SQLException {
        return number(
                conn,
                "INSERT INTO outbox_event (event_id, event_type, key_hash, status, occurred_at, available_at,"
                        + " created_at) VALUES (gen_random_uuid()::text, 'A', 1, 0, now(), now(), now()) RETURNING seq");
    }

    private long transactionIds() throws SQLException {
        try (Connection conn = database.dataSource().getConnection()) {
            return number(conn, "SELECT pg_current_xact_id()::text::bigint");
        }
    }

    private static long number(Connection conn, String sql) throws SQLException {
        try (Statement statement = conn.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private String text(String sql) throws SQLException {
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static void execute(Connection conn, String sql) throws SQLException {
        try (Statement statement = conn.createStatement()) {
            statement.execute(sql);
        }
    }

    private Connection transaction() throws SQLException {
        Connection conn = database.dataSource().getConnection();
        conn.setAutoCommit(false);
        return conn;
    }
}
