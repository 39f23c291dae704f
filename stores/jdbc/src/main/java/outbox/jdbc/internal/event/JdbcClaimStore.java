package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import outbox.internal.JdbcTransaction;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.relay.MetaRow;
import outbox.jdbc.internal.schema.SchemaCheck;
import outbox.jdbc.internal.sql.AnswerTimes;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;
import outbox.spi.ConnectionProvider;

/**
 * Claims by token and lease in the event table: every call is one transaction at READ COMMITTED, because MySQL's default
 * takes gap locks that would stop writers.
 */
public record JdbcClaimStore(ConnectionProvider connections, EventTable table) implements ClaimStore {

    /** A caller that asks for the time continues without it. */
    private static final Duration CLOCK_ANSWER_MAX = Duration.ofSeconds(2);

    @Override
    public OptionalInt connectionsMax() {
        return connections.connectionsMax();
    }

    @Override
    public Instant now() {
        return JdbcTransaction.run(
                connections, CLOCK_ANSWER_MAX, conn -> dialect(conn).readTime(conn));
    }

    @Override
    public void open() {
        JdbcTransaction.run(connections, table.answerMax(), conn -> {
            new SchemaCheck(table.names()).requireVersion(conn);
            new MetaRow(dialect(conn), table.names()).claimForDispatchers(conn);
            new CorruptRows(dialect(conn), table.names()).repair(conn);
            return conn;
        });
    }

    @Override
    public List<OutboxEvent> claim(ClaimRequest request) {
        return claiming(request.terms().lease(), conn -> claim(conn, request));
    }

    /** Claims within a transaction of the caller's. */
    public List<OutboxEvent> claim(Connection conn, ClaimRequest request) {
        EventTable.Bound bound = table.in(conn);
        try {
            List<StoredRow> claimed = bound.dialect().claim(conn, bound.sql(), request);
            return new CorruptRows(bound.dialect(), table.names()).readable(conn, claimed);
        } catch (SQLException e) {
            throw SqlFailure.of("claim events", e);
        }
    }

    @Override
    public boolean claimOne(String eventId, ClaimTerms terms) {
        return claiming(terms.lease(), conn -> claimOne(conn, eventId, terms));
    }

    private boolean claimOne(Connection conn, String eventId, ClaimTerms terms) {
        Dialect dialect = dialect(conn);
        // Locked first, because an UPDATE would wait for a transaction that is just inserting or claiming the row.
        String lock = "SELECT event_id FROM " + table.names().event() + " e WHERE event_id = ? AND status + 0 IN (0, 2)"
                + " AND (claimed_until IS NULL OR claimed_until <= " + dialect.now() + ")" + EventSql.suspicion(false)
                + " FOR UPDATE SKIP LOCKED";
        String attempted = "claim event " + eventId;
        if (Sql.list(dialect.preferIndexes(), conn, attempted, lock, row -> row.getString(1), eventId)
                .isEmpty()) {
            return false;
        }
        String update = "UPDATE " + table.names().event() + " SET " + EventSql.COUNT_DEATH
                + "claim_token = ?, claimed_until = " + dialect.nowPlus("?") + " WHERE event_id = ?";
        return Sql.update(conn, attempted, update, terms.token(), Sql.micros(terms.lease()), eventId) == 1;
    }

    @Override
    public Set<Claim> renew(Set<Claim> claims, Duration lease) {
        return claiming(lease, conn -> {
            String set = "claimed_until = " + dialect(conn).nowPlus("c.value_micros");
            List<ClaimedUpdate.Row> rows = claims.stream()
                    .map(claim -> new ClaimedUpdate.Row(claim, Sql.micros(lease), ""))
                    .toList();
            int renewed = update(conn, "renew claims", new ClaimedUpdate(set, rows));
            return renewed == claims.size() ? claims : stillHeld(conn, claims);
        });
    }

    // In the transaction of the renewal, so its rows are locked and cannot change hands in between.
    private Set<Claim> stillHeld(Connection conn, Set<Claim> claims) {
        List<String> ids = claims.stream().map(Claim::eventId).toList();
        String select = "SELECT event_id, claim_token FROM " + table.names().event()
                + " WHERE status + 0 IN (0, 2) AND event_id IN " + Sql.placeholders(ids.size());
        Set<Claim> held = new HashSet<>();
        Sql.list(
                conn,
                "read claims",
                select,
                row -> {
                    String token = row.getString("claim_token");
                    return token != null && held.add(new Claim(row.getString("event_id"), token));
                },
                ids);
        held.retainAll(claims);
        return held;
    }

    @Override
    public int release(Set<Claim> claims) {
        return JdbcTransaction.run(
                connections,
                table.answerMax(),
                conn -> update(conn, "release claims", ClaimedUpdate.of(EventSql.UNCLAIM, claims)));
    }

    private <T> T claiming(Duration lease, Function<Connection, T> work) {
        table.claimedFor(lease);
        return JdbcTransaction.run(connections, AnswerTimes.ofLease(lease), work);
    }

    private int update(Connection conn, String attempted, ClaimedUpdate update) {
        return update.execute(conn, dialect(conn), table.names().event(), attempted);
    }

    private Dialect dialect(Connection conn) {
        return table.in(conn).dialect();
    }
}
