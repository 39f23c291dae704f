package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.DuplicateEventException;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.model.ClaimTerms;
import outbox.util.JsonCodec;

/** Store: writes new events, many rows by one statement. */
public record EventInsert(
        Dialect dialect, EventSql sql, @Nullable ClaimTerms claim) {

    /** Enough to make the round trip cheap, and far below every database's limits of parameters and bytes. */
    private static final int ROWS_MAX = 100;

    private static final int BYTES_MAX = 4 * EventEnvelope.PAYLOAD_BYTES_MAX;

    public void execute(Connection conn, List<EventEnvelope> events) {
        int first = endOfStatement(events, 0);
        if (events.size() == 1 && isCommon(events.get(0))) {
            insertCommon(conn, events.get(0));
        } else if (first == events.size()) {
            insert(conn, events);
        } else {
            insertAllOrNothing(conn, events, first);
        }
    }

    // The application may catch what the second statement throws and commit: the first must be gone then, too.
    private void insertAllOrNothing(Connection conn, List<EventEnvelope> events, int first) {
        try {
            Savepoint before = conn.setSavepoint();
            try {
                for (int from = 0, to = first; from < events.size(); from = to, to = endOfStatement(events, from)) {
                    insert(conn, events.subList(from, to));
                }
            } catch (OutboxException e) {
                conn.rollback(before);
                throw e;
            }
            conn.releaseSavepoint(before);
        } catch (SQLException e) {
            throw SqlFailure.of("store " + events.size() + " event(s)", e);
        }
    }

    private static int endOfStatement(List<EventEnvelope> events, int from) {
        int to = from;
        long bytes = 0;
        while (to < events.size() && to - from < ROWS_MAX && bytes < BYTES_MAX) {
            bytes += events.get(to).payloadSize();
            to++;
        }
        return to;
    }

    private void insert(Connection conn, List<EventEnvelope> events) {
        try (PreparedStatement statement = conn.prepareStatement(sql.insert(events.size()))) {
            for (int row = 0; row < events.size(); row++) {
                bind(statement, row * EventSql.INSERT_PARAMETERS, events.get(row));
            }
            statement.executeUpdate();
        } catch (SQLException e) {
            throw failure(events, e);
        }
    }

    private static boolean isCommon(EventEnvelope event) {
        return event.payloadJson() != null
                && event.availableAt() == null
                && event.maxAttempts().isEmpty();
    }

    /** The statement that most publishes are: every parameter that is left out is felt in the business transaction. */
    private void insertCommon(Connection conn, EventEnvelope event) {
        String text = claim == null ? sql.insertCommon : sql.insertCommonClaimed;
        try (PreparedStatement statement = conn.prepareStatement(text)) {
            bindNames(statement, 0, event);
            statement.setString(8, event.payloadJson());
            statement.setString(9, headers(event));
            statement.setObject(10, dialect.parameter(event.occurredAt()));
            if (claim != null) {
                statement.setString(11, claim.token());
                statement.setLong(12, Sql.micros(claim.lease()));
            }
            statement.executeUpdate();
        } catch (SQLException e) {
            throw failure(List.of(event), e);
        }
    }

    private static void bindNames(PreparedStatement statement, int before, EventEnvelope event) throws SQLException {
        String key = event.orderingKey();
        statement.setString(before + 1, event.eventId());
        statement.setString(before + 2, event.eventType());
        statement.setString(before + 3, event.aggregateType());
        statement.setString(before + 4, event.aggregateId());
        statement.setString(before + 5, event.tenantId());
        statement.setString(before + 6, key);
        statement.setInt(before + 7, event.laneHash());
    }

    private static @Nullable String headers(EventEnvelope event) {
        return event.headers().isEmpty() ? null : JsonCodec.encode(event.headers());
    }

    /** Binds one row behind the given number of parameters. */
    private void bind(PreparedStatement statement, int before, EventEnvelope event) throws SQLException {
        bindNames(statement, before, event);
        statement.setString(before + 8, event.payloadJson());
        statement.setBytes(before + 9, event.payloadBytes());
        Instant availableAt = event.availableAt();
        ClaimTerms terms = availableAt == null ? claim : null;
        Sql.bind(
                statement,
                before + 10,
                headers(event),
                event.maxAttempts().isPresent() ? event.maxAttempts().getAsInt() : null,
                dialect.parameter(event.occurredAt()),
                availableAt == null ? null : dialect.parameter(availableAt),
                terms == null ? null : terms.token());
        if (terms == null) {
            statement.setNull(before + 15, Types.BIGINT);
        } else {
            statement.setLong(before + 15, Sql.micros(terms.lease()));
        }
    }

    private static OutboxException failure(List<EventEnvelope> events, SQLException e) {
        if (!SqlFailure.isDuplicateKey(e)) {
            return SqlFailure.of("store " + events.size() + " event(s)", e);
        }
        // Every database names the key that it refused, in quotes or in brackets.
        String message = String.valueOf(e.getMessage());
        List<String> ids = events.stream().map(EventEnvelope::eventId).toList();
        List<String> named = ids.stream()
                .filter(id -> message.contains("'" + id + "'") || message.contains("(" + id + ")"))
                .toList();
        return new DuplicateEventException(named.isEmpty() ? ids : named, e);
    }
}
