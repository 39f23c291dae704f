package outbox.jdbc;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.DuplicateEventException;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.ClaimTerms;
import outbox.util.JsonCodec;
import outbox.util.KeyHash;

/** Store: writes new events, one statement for one, one batch for many. */
record EventInsert(Dialect dialect, String sql, @Nullable ClaimTerms claim) {

    void execute(Connection conn, List<EventEnvelope> events) {
        try (PreparedStatement statement = conn.prepareStatement(sql)) {
            if (events.size() == 1) {
                bind(statement, events.get(0));
                statement.executeUpdate();
            } else {
                for (EventEnvelope event : events) {
                    bind(statement, event);
                    statement.addBatch();
                }
                statement.executeBatch();
            }
        } catch (SQLException e) {
            throw failure(events, e);
        }
    }

    private void bind(PreparedStatement statement, EventEnvelope event) throws SQLException {
        String key = event.orderingKey();
        Map<String, String> headers = event.headers();
        statement.setString(1, event.eventId());
        statement.setString(2, event.eventType());
        statement.setString(3, event.aggregateType());
        statement.setString(4, event.aggregateId());
        statement.setString(5, event.tenantId());
        statement.setString(6, key);
        // Without a key, the id spreads events evenly.
        statement.setInt(7, KeyHash.of(key == null ? event.eventId() : key));
        statement.setString(8, event.payloadJson());
        statement.setBytes(9, event.payloadBytes());
        statement.setString(10, headers.isEmpty() ? null : JsonCodec.encode(headers));
        if (event.maxAttempts().isPresent()) {
            statement.setInt(11, event.maxAttempts().getAsInt());
        } else {
            statement.setNull(11, Types.INTEGER);
        }
        dialect.bindInstant(statement, 12, event.occurredAt());
        dialect.bindInstant(statement, 13, event.availableAt());
        if (claim == null || event.availableAt() != null) {
            statement.setNull(14, Types.VARCHAR);
            statement.setNull(15, Types.BIGINT);
        } else {
            statement.setString(14, claim.token());
            statement.setLong(15, Micros.of(claim.lease()));
        }
    }

    private static OutboxException failure(List<EventEnvelope> events, SQLException e) {
        if (SqlFailure.isDuplicateKey(e)) {
            return new DuplicateEventException(suspects(events, e), e);
        }
        return SqlFailure.of("store " + events.size() + " event(s)", e);
    }

    // Some drivers stop at the refused row and say how many came before it; others refuse the batch as a whole.
    private static List<String> suspects(List<EventEnvelope> events, SQLException e) {
        List<String> ids = events.stream().map(EventEnvelope::eventId).toList();
        if (e instanceof BatchUpdateException batch) {
            int[] counts = batch.getUpdateCounts();
            int failed = -1;
            for (int i = 0; i < counts.length && failed < 0; i++) {
                failed = counts[i] == Statement.EXECUTE_FAILED ? i : -1;
            }
            if (failed < 0 && counts.length < ids.size()) {
                failed = counts.length;
            }
            boolean alone = failed >= 0
                    && (failed == counts.length
                            || failed == ids.size() - 1
                            || counts[failed + 1 < counts.length ? failed + 1 : failed] != Statement.EXECUTE_FAILED);
            return alone ? List.of(ids.get(failed)) : ids;
        }
        return ids;
    }
}
