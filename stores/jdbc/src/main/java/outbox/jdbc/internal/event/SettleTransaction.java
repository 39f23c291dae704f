package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.operations.AuditRows;
import outbox.jdbc.internal.relay.MetaRow;
import outbox.jdbc.internal.relay.OwnershipRows;
import outbox.jdbc.internal.relay.PauseRows;
import outbox.jdbc.internal.sql.InList;
import outbox.jdbc.internal.sql.Micros;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.relay.Pause;

/**
 * Settle: items of every kind, as a few statements in one transaction at READ COMMITTED. The slot's row is locked
 * first, then the events in the order of their ids; what is written afterwards is what the locked rows allow.
 */
public record SettleTransaction(Dialect dialect, TableNames tables, SettleRequest request) {

    /** A row that is locked. */
    private record Locked(
            int attempts, int replays, @Nullable String token, boolean attempted) {}

    /** What makes an event done. */
    static String done(Dialect dialect) {
        return "status = 1, done_at = " + dialect.now() + answered(dialect);
    }

    private static String answered(Dialect dialect) {
        return ", last_attempt_at = " + dialect.now() + ", " + EventSql.ANSWERED;
    }

    public SettleResult execute(Connection conn) {
        // The meta row before any slot, as a takeover has it, so that the two cannot deadlock.
        if (request.items().stream().anyMatch(item -> item.pausesKey() != null)) {
            new MetaRow(dialect, tables).lock(conn);
        }
        if (request.fence() instanceof Fence.Ownership fence
                && !new OwnershipRows(dialect, tables).share(conn, fence.ownership())) {
            return new SettleResult.Fenced();
        }
        Map<String, Locked> locked = lock(conn);
        acknowledge(conn, locked);
        List<SettleItem> writable = new ArrayList<>();
        List<SettleResult.Item> results = new ArrayList<>();
        for (SettleItem item : request.items()) {
            boolean written = mayWrite(item, locked.get(item.eventId()));
            results.add(SettleResult.Item.written(written));
            if (written) {
                writable.add(item);
            }
        }
        if (!writable.isEmpty()) {
            write(conn, writable, locked);
        }
        return new SettleResult.Settled(results);
    }

    private Map<String, Locked> lock(Connection conn) {
        List<String> ids = Stream.concat(
                        request.items().stream().map(item -> item.settlement().claim()),
                        request.acknowledgements().stream().map(Acknowledgement::claim))
                .map(Claim::eventId)
                .sorted()
                .distinct()
                .toList();
        if (ids.isEmpty()) {
            return Map.of();
        }
        // No index has pending in these words, so no planner can take any but the primary key.
        String select = "SELECT event_id, attempts, replays, claim_token, last_attempt_at FROM " + tables.event()
                + " WHERE event_id IN " + InList.of(ids.size())
                + " AND status + 0 IN (0, 2) ORDER BY event_id FOR UPDATE";
        return Sql.query(
                dialect.preferIndexes(),
                conn,
                "lock events to settle",
                select,
                statement -> InList.bind(statement, 1, ids),
                rows -> {
                    Map<String, Locked> locked = new HashMap<>();
                    while (rows.next()) {
                        boolean attempted = rows.getObject("last_attempt_at") != null;
                        locked.put(
                                rows.getString("event_id"),
                                new Locked(
                                        rows.getInt("attempts"),
                                        rows.getInt("replays"),
                                        rows.getString("claim_token"),
                                        attempted));
                    }
                    return locked;
                });
    }

    private void acknowledge(Connection conn, Map<String, Locked> locked) {
        List<Acknowledgement> writable = request.acknowledgements().stream()
                .filter(each -> isOurs(each.claim(), locked.get(each.claim().eventId())))
                .toList();
        if (!writable.isEmpty()) {
            new Acknowledgements(dialect, tables).insert(conn, writable);
        }
    }

    private boolean mayWrite(SettleItem item, @Nullable Locked row) {
        return row != null
                && isOurs(item.settlement().claim(), row)
                && (item.settlement() instanceof Settlement.Done || row.attempts() == item.expectedAttempts());
    }

    private boolean isOurs(Claim claim, @Nullable Locked row) {
        return row != null
                && switch (request.fence()) {
                    case Fence.Ownership slot -> claim.replays() == row.replays();
                    case Fence.Tokens tokens -> claim.token().equals(row.token());
                };
    }

    private void write(Connection conn, List<SettleItem> items, Map<String, Locked> locked) {
        List<ClaimedUpdate.Row> done = new ArrayList<>();
        List<ClaimedUpdate.Row> retry = new ArrayList<>();
        List<ClaimedUpdate.Row> postponed = new ArrayList<>();
        List<ClaimedUpdate.Row> dead = new ArrayList<>();
        List<FailedAttempts.Failed> failed = new ArrayList<>();
        for (SettleItem item : items) {
            Claim claim = item.settlement().claim();
            switch (item.settlement()) {
                case Settlement.Done d -> done.add(new ClaimedUpdate.Row(claim, 0, ""));
                case Settlement.Retry r -> {
                    String error = ErrorText.fit(r.error());
                    retry.add(new ClaimedUpdate.Row(claim, Micros.of(r.delay()), error));
                    failed.add(new FailedAttempts.Failed(item, error));
                }
                case Settlement.Postponed p ->
                    postponed.add(new ClaimedUpdate.Row(claim, Micros.of(p.delay()), ErrorText.fit(p.error())));
                case Settlement.Dead d -> {
                    String error = ErrorText.fit(d.error());
                    dead.add(new ClaimedUpdate.Row(claim, d.counts() ? 1 : 0, error));
                    if (d.counts()) {
                        failed.add(new FailedAttempts.Failed(item, error));
                    }
                }
            }
        }
        FailedAttempts attempts = new FailedAttempts(dialect, tables);
        attempts.insert(conn, request.nodeId(), failed);
        pause(conn, items);
        forgetAcknowledgements(conn, items);
        if (request.doneRows() == DoneRows.DELETE) {
            delete(conn, done, attempts, locked);
        } else {
            update(conn, done(dialect), done);
        }
        String retryIn = "status = 2, last_error = c.value_text, available_at = " + dialect.nowPlus("c.value_micros");
        update(conn, retryIn + ", attempts = attempts + 1" + answered(dialect), retry);
        update(conn, retryIn + answered(dialect), postponed);
        // The value is 1 if the attempt counts, and 0 otherwise.
        String isDead = "status = 3, attempts = attempts + c.value_micros, last_error = c.value_text";
        update(conn, isDead + answered(dialect), dead);
    }

    private void update(Connection conn, String assignments, List<ClaimedUpdate.Row> rows) {
        new ClaimedUpdate(assignments, rows, false).execute(conn, dialect, tables.event(), "settle events");
    }

    private void delete(
            Connection conn, List<ClaimedUpdate.Row> rows, FailedAttempts attempts, Map<String, Locked> locked) {
        List<String> ids = rows.stream().map(row -> row.claim().eventId()).toList();
        if (ids.isEmpty()) {
            return;
        }
        List<String> attempted = ids.stream()
                .filter(id -> Stream.of(locked.get(id)).anyMatch(row -> row != null && row.attempted()))
                .toList();
        attempts.delete(conn, attempted);
        new OriginalRows(dialect, tables).delete(conn, attempted);
        new AuditRows(dialect, tables).forget(conn, attempted);
        Sql.update(
                conn,
                "settle events",
                "DELETE FROM " + tables.event() + " WHERE event_id IN " + InList.of(ids.size()),
                statement -> InList.bind(statement, 1, ids));
    }

    private void forgetAcknowledgements(Connection conn, List<SettleItem> items) {
        List<String> ids = items.stream()
                .filter(item -> item.fansOut() && item.settlement() instanceof Settlement.Done)
                .map(SettleItem::eventId)
                .toList();
        new Acknowledgements(dialect, tables).delete(conn, ids);
    }

    private void pause(Connection conn, List<SettleItem> items) {
        PauseRows pauses = new PauseRows(dialect, tables);
        for (SettleItem item : items) {
            if (item.pausesKey() != null && item.settlement() instanceof Settlement.Dead) {
                pauses.add(
                        conn,
                        new Pause.Subject(Pause.Kind.KEY, item.pausesKey()),
                        "event " + item.eventId() + " is dead",
                        "catbox");
            }
        }
    }
}
