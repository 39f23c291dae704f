package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.operations.AuditRows;
import outbox.jdbc.internal.relay.MetaRow;
import outbox.jdbc.internal.relay.OwnershipRows;
import outbox.jdbc.internal.relay.PauseRows;
import outbox.jdbc.internal.sql.InList;
import outbox.jdbc.internal.sql.Micros;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.Pause;
import outbox.spi.relay.Verdict;

/**
 * Settle: verdicts of every kind, as a few statements in one transaction at READ COMMITTED. The slot's row is locked
 * first, then the events in the order of their ids; what is written afterwards is what the locked rows allow.
 */
public record SettleTransaction(Dialect dialect, TableNames tables, SettleRequest request) {

    /** A row that is locked. */
    private record Locked(
            int attempts, int replays, @Nullable String token, boolean attempted) {}

    public int execute(Connection conn) {
        // The meta row before any slot, as a takeover has it, so that the two cannot deadlock.
        if (request.verdicts().stream().anyMatch(verdict -> verdict.haltsKey() != null)) {
            new MetaRow(dialect, tables).lock(conn);
        }
        if (request.fence() instanceof Fence.Slot fence
                && !new OwnershipRows(dialect, tables).share(conn, fence.hold())) {
            return PartitionStore.FENCED;
        }
        Map<String, Locked> locked = lock(conn);
        acknowledge(conn, locked);
        List<Verdict> writable = request.verdicts().stream()
                .filter(verdict -> mayWrite(
                        verdict, locked.get(verdict.settlement().claim().eventId())))
                .toList();
        return writable.isEmpty() ? 0 : write(conn, writable, locked);
    }

    private Map<String, Locked> lock(Connection conn) {
        List<String> ids = Stream.concat(
                        request.verdicts().stream()
                                .map(verdict -> verdict.settlement().claim()),
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

    private boolean mayWrite(Verdict verdict, @Nullable Locked row) {
        return row != null
                && isOurs(verdict.settlement().claim(), row)
                && (verdict.settlement() instanceof Settlement.Done || row.attempts() == verdict.attempts());
    }

    private boolean isOurs(Claim claim, @Nullable Locked row) {
        return row != null
                && switch (request.fence()) {
                    case Fence.Slot slot -> claim.replays() == row.replays();
                    case Fence.Tokens tokens -> claim.token().equals(row.token());
                };
    }

    private int write(Connection conn, List<Verdict> verdicts, Map<String, Locked> locked) {
        List<ClaimedUpdate.Row> done = new ArrayList<>();
        List<ClaimedUpdate.Row> retry = new ArrayList<>();
        List<ClaimedUpdate.Row> postponed = new ArrayList<>();
        List<ClaimedUpdate.Row> dead = new ArrayList<>();
        List<FailedAttempts.Failed> failed = new ArrayList<>();
        for (Verdict verdict : verdicts) {
            Claim claim = verdict.settlement().claim();
            switch (verdict.settlement()) {
                case Settlement.Done d -> done.add(new ClaimedUpdate.Row(claim, 0, ""));
                case Settlement.Retry r -> {
                    String error = ErrorText.fit(r.error());
                    retry.add(new ClaimedUpdate.Row(claim, Micros.of(r.delay()), error));
                    failed.add(new FailedAttempts.Failed(verdict, error));
                }
                case Settlement.Postponed p ->
                    postponed.add(new ClaimedUpdate.Row(claim, Micros.of(p.delay()), ErrorText.fit(p.error())));
                case Settlement.Dead d -> {
                    String error = ErrorText.fit(d.error());
                    dead.add(new ClaimedUpdate.Row(claim, d.counts() ? 1 : 0, error));
                    if (d.counts()) {
                        failed.add(new FailedAttempts.Failed(verdict, error));
                    }
                }
            }
        }
        FailedAttempts attempts = new FailedAttempts(dialect, tables);
        attempts.insert(conn, request.nodeId(), failed);
        halt(conn, verdicts);
        forgetAcknowledgements(conn, verdicts);
        String attempt = ", last_attempt_at = " + dialect.now() + ", " + JdbcOutboxRepository.ANSWERED;
        return (request.doneRows() == DoneRows.DELETE
                        ? delete(conn, done, attempts, locked)
                        : update(conn, "status = 1, done_at = " + dialect.now() + attempt, done))
                + update(conn, JdbcOutboxRepository.retryIn(dialect) + ", attempts = attempts + 1" + attempt, retry)
                + update(conn, JdbcOutboxRepository.retryIn(dialect) + attempt, postponed)
                + update(conn, JdbcOutboxRepository.DEAD + attempt, dead);
    }

    private int update(Connection conn, String assignments, List<ClaimedUpdate.Row> rows) {
        if (rows.isEmpty()) {
            return 0;
        }
        try {
            return dialect.updateClaimed(conn, tables.event(), new ClaimedUpdate(assignments, rows, false, false));
        } catch (SQLException e) {
            throw SqlFailure.of("settle events", e);
        }
    }

    private int delete(
            Connection conn, List<ClaimedUpdate.Row> rows, FailedAttempts attempts, Map<String, Locked> locked) {
        List<String> ids = rows.stream().map(row -> row.claim().eventId()).toList();
        if (ids.isEmpty()) {
            return 0;
        }
        List<String> attempted = ids.stream()
                .filter(id -> Stream.of(locked.get(id)).anyMatch(row -> row != null && row.attempted()))
                .toList();
        attempts.delete(conn, attempted);
        new OriginalRows(dialect, tables).delete(conn, attempted);
        new AuditRows(dialect, tables).forget(conn, attempted);
        return Sql.update(
                conn,
                "settle events",
                "DELETE FROM " + tables.event() + " WHERE event_id IN " + InList.of(ids.size()),
                statement -> InList.bind(statement, 1, ids));
    }

    private void forgetAcknowledgements(Connection conn, List<Verdict> verdicts) {
        List<String> ids = verdicts.stream()
                .filter(verdict -> verdict.partly() && verdict.settlement() instanceof Settlement.Done)
                .map(verdict -> verdict.settlement().claim().eventId())
                .toList();
        new Acknowledgements(dialect, tables).delete(conn, ids);
    }

    private void halt(Connection conn, List<Verdict> verdicts) {
        PauseRows holds = new PauseRows(dialect, tables);
        for (Verdict verdict : verdicts) {
            if (verdict.haltsKey() != null && verdict.settlement() instanceof Settlement.Dead dead) {
                holds.add(
                        conn,
                        new Pause.Subject(Pause.Kind.KEY, verdict.haltsKey()),
                        "event " + dead.claim().eventId() + " is dead",
                        "catbox");
            }
        }
    }
}
