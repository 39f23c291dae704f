package outbox.jdbc.internal.event;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.StoreUnavailableException;
import outbox.internal.ErrorText;
import outbox.internal.KeyHash;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.RowReader;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.model.OutboxEvent;

/**
 * Repairs rows that cannot be read or found, because another program wrote them: a row that cannot be read is set dead,
 * and says why; a row that lies in no partition is given the hash of its key. No instance has to own their partition for
 * that: such a row is wrong for every reader.
 */
public record CorruptRows(Dialect dialect, TableNames tables) {

    private static final Logger LOG = System.getLogger(CorruptRows.class.getName());

    /** Rows of each kind that are repaired at one time. */
    private static final int STRAYS_MAX = 500;

    /** A row that no relay finds. */
    private record Stray(String eventId, @Nullable String orderingKey) {}

    /** The rows that can be read. The others are dead in the same transaction, and keep none from being claimed. */
    public List<OutboxEvent> readable(Connection conn, List<StoredRow> rows) {
        rows.stream().filter(row -> !row.isReadable()).forEach(row -> setDead(conn, row));
        return rows.stream().filter(StoredRow::isReadable).map(StoredRow::event).toList();
    }

    /** Within a transaction that continues if the row cannot be written: other events of the claim do not wait for it. */
    private void setDead(Connection conn, StoredRow row) {
        write(conn, row.event().eventId(), "cannot be read, and cannot be set dead", () -> markDead(conn, row));
    }

    private static void write(Connection conn, String eventId, String ifRefused, Runnable write) {
        try {
            Savepoint before = conn.setSavepoint();
            try {
                write.run();
            } catch (StoreUnavailableException e) {
                throw e;
            } catch (OutboxException e) {
                conn.rollback(before);
                LOG.log(
                        Level.ERROR,
                        "event " + SqlFailure.oneLine(eventId) + " " + ifRefused + ": " + SqlFailure.line(e));
            }
        } catch (SQLException e) {
            throw SqlFailure.of("write event " + eventId, e);
        }
    }

    /**
     * Sets a row dead unless its status has changed since it was read.
     *
     * @throws OutboxException when the database refuses that
     */
    public void markDead(Connection conn, StoredRow row) {
        String reason = ErrorText.fit("cannot be read: " + row.fault());
        String now = dialect.now();
        // Dead events are listed by the time of their creation, so they need one.
        String update = "UPDATE " + tables.event() + " SET status = 3, done_at = NULL, last_attempt_at = " + now
                + ", last_error = ?, attempts = COALESCE(attempts, 0), occurred_at = COALESCE(occurred_at, " + now
                + "), available_at = COALESCE(available_at, " + now + "), created_at = COALESCE(created_at, " + now
                + "), " + EventSql.UNCLAIM + " WHERE event_id = ? AND status + 0 = ?";
        String eventId = row.event().eventId();
        int changed = Sql.update(conn, "set event " + eventId + " dead", update, reason, eventId, row.status());
        if (changed > 0) {
            LOG.log(
                    Level.WARNING,
                    "event {0} {1}; it is dead",
                    SqlFailure.oneLine(eventId),
                    SqlFailure.oneLine(reason));
        }
    }

    /**
     * Repairs what no read of a partition shows: rows of an unknown status or without a due time are set dead, and pending
     * ones without a hash, or with a negative one, get the hash of their key. Reads three ranges of indexes, nearly always
     * empty. A row that the database does not let be written stays as it is, and keeps no other row from its repair.
     */
    public void repair(Connection conn) {
        String all = "SELECT " + EventSql.COLUMNS + " FROM ";
        String most = " LIMIT " + STRAYS_MAX;
        for (String status : List.of("e.status < 0", "e.status > 3")) {
            strays(conn, all + dialect.indexed(tables, "e", "settled") + " WHERE " + status + most)
                    .forEach(row -> setDead(conn, row));
        }
        strays(
                        conn,
                        all + dialect.indexed(tables, "e", "due") + " WHERE " + dialect.pending("e")
                                + " AND e.available_at IS NULL" + most)
                .forEach(row -> setDead(conn, row));
        for (String hash : List.of("e.key_hash < 0", "e.key_hash IS NULL")) {
            // Rows of an unknown status are set dead first, the next time if they are too many.
            String chosen = dialect.indexed(tables, "e", "lane") + " WHERE " + dialect.pendingInLane("e")
                    + " AND e.status + 0 IN (0, 2) AND " + hash + most;
            ofNoPartition(conn, chosen, List.of())
                    .forEach(stray -> write(
                            conn,
                            stray.eventId(),
                            "is in no partition, and cannot be given the hash of its key",
                            () -> rehash(conn, stray)));
        }
    }

    private List<StoredRow> strays(Connection conn, String select) {
        return Sql.query(
                dialect.preferIndexes(),
                conn,
                "find events that no relay finds",
                select,
                statement -> {},
                rows -> RowReader.stored(dialect, rows));
    }

    /** Gives the events that are chosen and about to be pending the hashes of their keys, if they have none that counts. */
    public void rehash(Connection conn, List<String> eventIds) {
        String chosen = tables.event() + " e WHERE e.event_id IN " + Sql.placeholders(eventIds.size())
                + " AND COALESCE(e.key_hash, -1) < 0";
        ofNoPartition(conn, chosen, eventIds).forEach(stray -> rehash(conn, stray));
    }

    private List<Stray> ofNoPartition(Connection conn, String chosen, List<String> parameters) {
        return Sql.list(
                dialect.preferIndexes(),
                conn,
                "find events of no partition",
                "SELECT e.event_id, e.ordering_key FROM " + chosen,
                row -> new Stray(row.getString(1), row.getString(2)),
                parameters);
    }

    // It joins the order now: a relay has read its lane before, and finds it as it finds an event that came due.
    private void rehash(Connection conn, Stray stray) {
        String now = dialect.now();
        int hash = KeyHash.ofLane(stray.orderingKey(), stray.eventId());
        String update = "UPDATE " + tables.event() + " SET key_hash = ?, available_at = CASE WHEN status = 0 AND"
                + " available_at < " + now + " THEN " + now + " ELSE available_at END WHERE event_id = ? AND"
                + " COALESCE(key_hash, -1) < 0";
        String attempted = "give event " + stray.eventId() + " the hash of its key";
        int changed = Sql.update(conn, attempted, update, hash, stray.eventId());
        if (changed > 0) {
            LOG.log(
                    Level.WARNING,
                    "event {0} had no key_hash that is allowed, and was in no partition; it has that of its key now",
                    SqlFailure.oneLine(stray.eventId()));
        }
    }
}
