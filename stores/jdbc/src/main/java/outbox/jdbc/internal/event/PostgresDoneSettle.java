package outbox.jdbc.internal.event;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.function.Function;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.PostgresDialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;

/**
 * Settle: a batch in which every event is done, which most are, as one statement that commits by itself.
 *
 * <p>The slot's row is locked first. That the fence exists is a condition of its own, which belongs to no row: the
 * database looks at it once, before it reads the first event, and looking at it is what locks. If a takeover has
 * written the row, the lock waits for it; once that has committed, the row is looked at anew, has another epoch, and
 * nothing is chosen. If the lock was had first, the takeover waits until this statement has ended. An EXISTS on the
 * slot without the lock would be answered by the snapshot, and let a settlement through that a takeover had overtaken.
 *
 * <p>Behind a slot it settles only events that were never replayed, which nearly all are: that is one condition for all of
 * them, where each number of replays would be a parameter per event. A batch with others is for {@link SettleTransaction}.
 */
public record PostgresDoneSettle(TableNames tables, SettleRequest request) {

    private static final String FENCE = "WITH fence AS MATERIALIZED (";

    /** Whether this one statement settles the batch. */
    public static boolean fits(SettleRequest request) {
        return request.acknowledgements().isEmpty()
                && request.items().stream().allMatch(item -> fits(item, request.fence()));
    }

    private static boolean fits(SettleItem item, Fence fence) {
        return item.settlement() instanceof Settlement.Done done
                && !item.fansOut()
                && (fence instanceof Fence.Tokens || done.claim().replays() == 0);
    }

    public String sql() {
        boolean byToken = request.fence() instanceof Fence.Tokens;
        String fence = byToken
                ? "SELECT 1 AS held"
                : "SELECT 1 AS held FROM " + tables.slot() + " WHERE slot = ? AND epoch = ? AND owner = ? FOR SHARE";
        // No index has pending in these words, so the planner can take none but the primary key. The ids are one sorted
        // array, which the index is walked along once instead of entered for each.
        String matches = " WHERE EXISTS (SELECT 1 FROM fence) AND t.status + 0 IN (0, 2)"
                + " AND t.event_id = ANY(?::text[])"
                + (byToken ? " AND t.event_id = c.id AND t.claim_token = c.token" : " AND t.replays = 0");
        String claims = byToken ? "unnest(?::text[], ?::text[]) AS c(id, token)" : "";
        return FENCE + fence + "), "
                + (request.doneRows() == DoneRows.DELETE ? deletion(claims, matches) : update(claims, matches))
                + " SELECT (SELECT count(*) FROM fence) AS held, (SELECT CASE WHEN count(*) < ? THEN"
                + " COALESCE(array_agg(event_id), '{}') END FROM settled) AS some";
    }

    private String update(String claims, String matches) {
        return "settled AS (UPDATE " + tables.event() + " t SET status = 1, done_at = statement_timestamp(),"
                + " last_attempt_at = statement_timestamp(), " + EventSql.ANSWERED
                + (claims.isEmpty() ? "" : " FROM " + claims) + matches + " RETURNING t.event_id)";
    }

    // Only what was attempted before has failed attempts, or acts of operators, to go with it.
    private String deletion(String claims, String matches) {
        String attempted =
                " WHERE event_id = ANY(ARRAY(SELECT event_id FROM settled WHERE last_attempt_at IS NOT NULL))";
        return "settled AS (DELETE FROM " + tables.event() + " t" + (claims.isEmpty() ? "" : " USING " + claims)
                + matches + " RETURNING t.event_id, t.last_attempt_at), attempts AS (DELETE FROM " + tables.attempt()
                + attempted + "), originals AS (DELETE FROM " + tables.original() + attempted
                + "), acts AS (DELETE FROM " + tables.auditEvent() + attempted + ")";
    }

    /**
     * Settles them in one statement.
     *
     * @param atMost after which the database gives up, which leaves the connection intact
     */
    public SettleResult execute(Connection conn, Duration atMost) {
        return Sql.query(
                request.relaxed() ? PostgresDialect.relaxedWithin(atMost) : PostgresDialect.preferIndexesWithin(atMost),
                conn,
                "settle events",
                sql(),
                statement -> bind(conn, statement),
                row -> {
                    row.next();
                    return answer(row);
                });
    }

    public void bind(Connection conn, PreparedStatement statement) throws SQLException {
        // In one order always, so that two that meet wait for each other instead of deadlocking.
        if (request.fence() instanceof Fence.Ownership fence) {
            statement.setInt(1, fence.ownership().partition());
            statement.setLong(2, fence.ownership().epoch());
            statement.setString(3, fence.ownership().owner());
            String[] ids = texts(claims(), Claim::eventId);
            Arrays.sort(ids);
            statement.setArray(4, conn.createArrayOf("text", ids));
            statement.setInt(5, ids.length);
        } else {
            Claim[] claims = claims();
            Arrays.sort(claims, Comparator.comparing(Claim::eventId));
            Array ids = conn.createArrayOf("text", texts(claims, Claim::eventId));
            statement.setArray(1, ids);
            statement.setArray(2, conn.createArrayOf("text", texts(claims, Claim::token)));
            statement.setArray(3, ids);
            statement.setInt(4, claims.length);
        }
    }

    private Claim[] claims() {
        Claim[] claims = new Claim[request.items().size()];
        Arrays.setAll(claims, i -> request.items().get(i).settlement().claim());
        return claims;
    }

    private static String[] texts(Claim[] claims, Function<Claim, String> part) {
        String[] texts = new String[claims.length];
        Arrays.setAll(texts, i -> part.apply(claims[i]));
        return texts;
    }

    private SettleResult answer(ResultSet row) throws SQLException {
        if (row.getInt("held") == 0) {
            return new SettleResult.Fenced();
        }
        Array some = row.getArray("some");
        if (some == null) {
            return SettleResult.allWritten(request.items().size());
        }
        Set<String> written = Set.of((String[]) some.getArray());
        return new SettleResult.Settled(request.items().stream()
                .map(item -> SettleResult.Item.written(written.contains(item.eventId())))
                .toList());
    }
}
