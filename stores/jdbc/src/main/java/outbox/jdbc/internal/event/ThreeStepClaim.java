package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.RowReader;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.ClaimTerms;
import outbox.spi.ClaimRequest;

/**
 * Claims where an UPDATE cannot return rows: choose, lock and read, mark; three steps in one transaction.
 *
 * <p>A choice of suspects does not lock, because it reads many rows and takes few; nor does any choice where the database
 * would lock rows beyond the limit. The second step then takes only what is still free, and skips what another claim has
 * locked.
 */
public record ThreeStepClaim(Dialect dialect, EventSql sql, ClaimRequest request, boolean mayLockAtOnce) {

    public List<StoredRow> claim(Connection conn) {
        List<String> chosen = choose(conn);
        if (chosen.isEmpty()) {
            return List.of();
        }
        List<StoredRow> locked = lock(conn, chosen);
        if (!locked.isEmpty()) {
            mark(conn, locked.stream().map(row -> row.event().eventId()).toList());
        }
        return locked;
    }

    private List<String> choose(Connection conn) {
        boolean lockNow = !request.suspects() && mayLockAtOnce;
        String select = "SELECT e.event_id, " + EventSql.SIZE + " AS size FROM " + sql.choiceFrom(request)
                + " WHERE " + sql.due(request) + " ORDER BY e.available_at, e.seq LIMIT ?"
                + (lockNow ? " FOR UPDATE SKIP LOCKED" : "");
        Sql.Binding binding = statement -> statement.setInt(EventSql.bindDue(statement, request), request.eventsMax());
        return Sql.query(conn, "choose due events", select, binding, rows -> {
            List<String> ids = new ArrayList<>();
            long bytes = 0;
            while (rows.next()) {
                bytes += rows.getLong("size");
                if (bytes > request.bytesMax() && !ids.isEmpty()) {
                    break;
                }
                ids.add(rows.getString("event_id"));
            }
            return ids;
        });
    }

    private List<StoredRow> lock(Connection conn, List<String> ids) {
        String select = "SELECT " + EventSql.CLAIMED + " FROM " + sql.table + " e WHERE event_id IN "
                + Sql.placeholders(ids.size()) + " AND status + 0 IN (0, 2) AND available_at <= " + dialect.now()
                + " AND (claimed_until IS NULL OR claimed_until <= " + dialect.now() + ")"
                + EventSql.suspicion(request.suspects()) + " FOR UPDATE SKIP LOCKED";
        Map<String, StoredRow> byId = new HashMap<>();
        RowReader.query(conn, dialect, "lock due events", select, ids)
                .forEach(row -> byId.put(row.event().eventId(), row));
        return ids.stream().map(byId::get).filter(Objects::nonNull).toList();
    }

    private void mark(Connection conn, List<String> ids) {
        String update = "UPDATE " + sql.table + " SET " + EventSql.COUNT_DEATH + "claim_token = ?, claimed_until = "
                + dialect.nowPlus("?") + " WHERE event_id IN " + Sql.placeholders(ids.size());
        ClaimTerms terms = request.terms();
        Sql.update(conn, "mark claimed events", update, terms.token(), Sql.micros(terms.lease()), ids);
    }
}
