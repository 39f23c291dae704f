package outbox.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.Ordering;
import outbox.internal.ErrorText;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.event.ClaimedUpdate;
import outbox.jdbc.internal.event.EventInsert;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.LaneScan;
import outbox.jdbc.internal.event.StoredRow;
import outbox.jdbc.internal.event.Unreadable;
import outbox.jdbc.internal.schema.SchemaCheck;
import outbox.jdbc.internal.sql.InList;
import outbox.jdbc.internal.sql.Micros;
import outbox.jdbc.internal.sql.RowReader;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimingEventStore;

/**
 * The outbox table on PostgreSQL, MySQL, MariaDB or H2; which one it is, the first connection tells. Holds no
 * connection and no other state, so one instance serves all threads.
 */
public final class JdbcOutboxRepository implements ClaimingEventStore {

    public static final String UNCLAIM = "claim_token = NULL, claimed_until = NULL, held_key_hash = NULL";

    /** The end of a claim that was answered, which shows that its holder has survived the event. */
    public static final String ANSWERED = "deaths = NULL, " + UNCLAIM;

    /** What makes an event dead; the value is 1 if the attempt counts, and 0 otherwise. */
    public static final String DEAD = "status = 3, attempts = attempts + c.value_micros, last_error = c.value_text";

    private final TableNames tables;
    /** Written by whichever thread comes first; the same for all, so a second write changes nothing. */
    private volatile @Nullable Bound bound;

    /** What the database decides: its dialect, and the statements in it. */
    private record Bound(Dialect dialect, EventSql sql) {}

    /** The table {@code outbox_event}. */
    public JdbcOutboxRepository() {
        this(TableNames.DEFAULT);
    }

    public JdbcOutboxRepository(TableNames tables) {
        this.tables = tables;
    }

    private Bound bound(Connection conn) {
        Bound known = bound;
        if (known == null) {
            Dialect dialect = Dialect.of(conn);
            known = new Bound(dialect, new EventSql(dialect, tables));
            bound = known;
        }
        return known;
    }

    // ---- store -------------------------------------------------------------------------------------------------

    @Override
    public void insertNew(Connection conn, EventEnvelope event) {
        insertNew(conn, List.of(event), null);
    }

    @Override
    public void insertNew(Connection conn, List<EventEnvelope> events, @Nullable ClaimTerms claim) {
        Bound b = bound(conn);
        new EventInsert(b.dialect(), b.sql(), claim).execute(conn, events);
    }

    // ---- the plain store: no claims ----------------------------------------------------------------------------

    @Override
    public int markDone(Connection conn, String eventId) {
        String set = "status = 1, done_at = " + bound(conn).dialect().now();
        return mark(conn, "mark event " + eventId + " done", set, statement -> statement.setString(1, eventId));
    }

    @Override
    public int markRetry(Connection conn, String eventId, Instant nextAt, String error) {
        Dialect dialect = bound(conn).dialect();
        String set = "status = 2, attempts = attempts + 1, available_at = ?, last_error = ?";
        return mark(conn, "mark event " + eventId + " for retry", set, statement -> {
            dialect.bindInstant(statement, 1, nextAt);
            statement.setString(2, ErrorText.fit(error));
            statement.setString(3, eventId);
        });
    }

    @Override
    public int markDead(Connection conn, String eventId, String error) {
        return mark(conn, "mark event " + eventId + " dead", "status = 3, last_error = ?", statement -> {
            statement.setString(1, ErrorText.fit(error));
            statement.setString(2, eventId);
        });
    }

    private int mark(Connection conn, String attempted, String set, Sql.Binding binding) {
        String update = "UPDATE " + tables.event() + " SET " + set + ", last_attempt_at = "
                + bound(conn).dialect().now() + ", " + UNCLAIM + " WHERE event_id = ? AND status <> 1";
        return Sql.update(conn, attempted, update, binding);
    }

    @Override
    public List<OutboxEvent> pollPending(Connection conn, Instant now, Duration skipRecent, int limit) {
        Bound b = bound(conn);
        return Sql.query(
                conn,
                "look for pending events",
                b.sql().pollPending,
                statement -> {
                    b.dialect().bindInstant(statement, 1, now);
                    b.dialect().bindInstant(statement, 2, now.minus(skipRecent));
                    statement.setInt(3, limit);
                },
                rows -> readable(conn, b.dialect(), RowReader.stored(b.dialect(), rows)));
    }

    // A row that cannot be read is dead in the same transaction, and keeps no other from being claimed.
    private List<OutboxEvent> readable(Connection conn, Dialect dialect, List<StoredRow> rows) {
        Unreadable unreadable = new Unreadable(dialect, tables);
        rows.stream().filter(row -> !row.isReadable()).forEach(row -> unreadable.setDead(conn, row));
        return rows.stream().filter(StoredRow::isReadable).map(StoredRow::event).toList();
    }

    // ---- claim -------------------------------------------------------------------------------------------------

    @Override
    public void open(Connection conn, Ordering ordering) {
        new SchemaCheck(tables).open(conn, ordering);
        new Unreadable(bound(conn).dialect(), tables).mend(conn);
    }

    @Override
    public Instant now(Connection conn) {
        Dialect dialect = bound(conn).dialect();
        return Sql.query(conn, "read the time", "SELECT " + dialect.now(), statement -> {}, row -> {
            row.next();
            return Objects.requireNonNull(dialect.readInstant(row, 1));
        });
    }

    @Override
    public List<OutboxEvent> claim(Connection conn, ClaimRequest request) {
        Bound b = bound(conn);
        try {
            List<StoredRow> claimed = b.dialect().claim(conn, b.sql(), request);
            return readable(
                    conn,
                    b.dialect(),
                    request.ordering() == Ordering.KEY
                            ? new LaneScan(b.dialect(), b.sql(), request).complete(conn, claimed)
                            : claimed);
        } catch (SQLException e) {
            throw SqlFailure.of("claim events", e);
        }
    }

    @Override
    public boolean claim(Connection conn, String eventId, ClaimTerms terms) {
        Dialect dialect = bound(conn).dialect();
        // Locked first, because an UPDATE would wait for whoever is just inserting or claiming the row.
        String lock = "SELECT event_id FROM " + tables.event() + " e WHERE event_id = ? AND status + 0 IN (0, 2)"
                + " AND (claimed_until IS NULL OR claimed_until <= " + dialect.now() + ")" + EventSql.suspicion(false)
                + " FOR UPDATE SKIP LOCKED";
        String attempted = "claim event " + eventId;
        if (Sql.query(
                        dialect.preferIndexes(),
                        conn,
                        attempted,
                        lock,
                        statement -> statement.setString(1, eventId),
                        Sql::strings)
                .isEmpty()) {
            return false;
        }
        String update =
                "UPDATE " + tables.event() + " SET " + EventSql.COUNT_DEATH + "claim_token = ?, claimed_until = "
                        + dialect.nowPlus("?") + ", held_key_hash = key_hash WHERE event_id = ?";
        return Sql.update(conn, attempted, update, statement -> {
                    statement.setString(1, terms.token());
                    statement.setLong(2, Micros.of(terms.lease()));
                    statement.setString(3, eventId);
                })
                == 1;
    }

    @Override
    public Set<Claim> renew(Connection conn, Set<Claim> claims, Duration lease) {
        Dialect dialect = bound(conn).dialect();
        String set = "claimed_until = " + dialect.nowPlus("c.value_micros");
        List<ClaimedUpdate.Row> rows = claims.stream()
                .map(claim -> new ClaimedUpdate.Row(claim, Micros.of(lease), ""))
                .toList();
        int renewed = updateClaimed(conn, "renew claims", new ClaimedUpdate(set, rows));
        return renewed == claims.size() ? claims : stillHeld(conn, claims);
    }

    // In the transaction of the renewal, so its rows are locked and cannot change hands in between.
    private Set<Claim> stillHeld(Connection conn, Set<Claim> claims) {
        List<String> ids = claims.stream().map(Claim::eventId).toList();
        String select = "SELECT event_id, claim_token FROM " + tables.event()
                + " WHERE status + 0 IN (0, 2) AND event_id IN " + InList.of(ids.size());
        Set<Claim> held = Sql.query(
                conn,
                "look after claims",
                select,
                statement -> InList.bind(statement, 1, ids),
                JdbcOutboxRepository::claims);
        held.retainAll(claims);
        return held;
    }

    private static Set<Claim> claims(ResultSet rows) throws SQLException {
        Set<Claim> claims = new HashSet<>();
        while (rows.next()) {
            String token = rows.getString("claim_token");
            if (token != null) {
                claims.add(new Claim(rows.getString("event_id"), token));
            }
        }
        return claims;
    }

    @Override
    public int release(Connection conn, Set<Claim> claims) {
        return updateClaimed(conn, "release claims", ClaimedUpdate.of(UNCLAIM, claims));
    }

    // ---- settle ------------------------------------------------------------------------------------------------

    @Override
    public int settle(Connection conn, List<Settlement> settlements) {
        List<ClaimedUpdate.Row> done = new ArrayList<>();
        List<ClaimedUpdate.Row> retry = new ArrayList<>();
        List<ClaimedUpdate.Row> postponed = new ArrayList<>();
        List<ClaimedUpdate.Row> dead = new ArrayList<>();
        for (Settlement settlement : settlements) {
            switch (settlement) {
                case Settlement.Done d -> done.add(new ClaimedUpdate.Row(d.claim(), 0, ""));
                case Settlement.Retry r ->
                    retry.add(new ClaimedUpdate.Row(r.claim(), Micros.of(r.delay()), ErrorText.fit(r.error())));
                case Settlement.Postponed p ->
                    postponed.add(new ClaimedUpdate.Row(p.claim(), Micros.of(p.delay()), ErrorText.fit(p.error())));
                case Settlement.Dead d ->
                    dead.add(new ClaimedUpdate.Row(d.claim(), d.counts() ? 1 : 0, ErrorText.fit(d.error())));
            }
        }
        lockInOrder(conn, List.of(done, retry, postponed, dead));
        boolean allDone = retry.isEmpty() && postponed.isEmpty() && dead.isEmpty();
        Dialect dialect = bound(conn).dialect();
        String attempt = ", last_attempt_at = " + dialect.now() + ", " + ANSWERED;
        String isDone = "status = 1, done_at = " + dialect.now() + attempt;
        return settle(conn, new ClaimedUpdate(isDone, done, true, allDone))
                + settle(conn, new ClaimedUpdate(retryIn(dialect) + ", attempts = attempts + 1" + attempt, retry))
                + settle(conn, new ClaimedUpdate(retryIn(dialect) + attempt, postponed))
                + settle(conn, new ClaimedUpdate(DEAD + attempt, dead));
    }

    /** What has an event tried again after the delay that is its value. */
    public static String retryIn(Dialect dialect) {
        return "status = 2, last_error = c.value_text, available_at = " + dialect.nowPlus("c.value_micros");
    }

    // Several statements would lock rows in another order than a renewal does, and the two could deadlock.
    private void lockInOrder(Connection conn, List<List<ClaimedUpdate.Row>> kinds) {
        if (kinds.stream().filter(kind -> !kind.isEmpty()).count() < 2) {
            return;
        }
        List<String> ids = kinds.stream()
                .flatMap(List::stream)
                .map(row -> row.claim().eventId())
                .toList();
        Sql.query(
                bound(conn).dialect().preferIndexes(),
                conn,
                "lock events to settle",
                "SELECT event_id FROM " + tables.event() + " WHERE event_id IN " + InList.of(ids.size())
                        + " ORDER BY event_id FOR UPDATE",
                statement -> InList.bind(statement, 1, ids),
                Sql::strings);
    }

    private int settle(Connection conn, ClaimedUpdate update) {
        return updateClaimed(conn, "settle events", update);
    }

    private int updateClaimed(Connection conn, String attempted, ClaimedUpdate update) {
        if (update.rows().isEmpty()) {
            return 0;
        }
        try {
            return bound(conn).dialect().updateClaimed(conn, tables.event(), update);
        } catch (SQLException e) {
            throw SqlFailure.of(attempted, e);
        }
    }
}
