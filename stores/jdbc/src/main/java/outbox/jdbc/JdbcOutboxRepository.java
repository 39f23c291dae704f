package outbox.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.ErrorText;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.event.EventInsert;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.EventTable;
import outbox.jdbc.internal.event.JdbcClaimStore;
import outbox.jdbc.internal.event.JdbcSettleStore;
import outbox.jdbc.internal.event.Unreadable;
import outbox.jdbc.internal.sql.RowReader;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.spi.ClaimStore;
import outbox.spi.ClaimingEventStore;
import outbox.spi.ConnectionProvider;
import outbox.spi.PublishStore;
import outbox.spi.SettleStore;
import outbox.spi.TxContext;

/**
 * The outbox table on PostgreSQL, MySQL, MariaDB or H2; which one it is, the first connection tells. Holds no
 * connection and no other state, so one instance serves all threads.
 */
public final class JdbcOutboxRepository implements ClaimingEventStore {

    private final EventTable table;
    private final TableNames tables;

    /** The table {@code outbox_event}. */
    public JdbcOutboxRepository() {
        this(TableNames.DEFAULT);
    }

    public JdbcOutboxRepository(TableNames tables) {
        this.table = new EventTable(tables);
        this.tables = tables;
    }

    // ---- ports -------------------------------------------------------------------------------------------------

    @Override
    public ClaimStore claims(ConnectionProvider connections) {
        return new JdbcClaimStore(connections, table);
    }

    @Override
    public SettleStore settlements(ConnectionProvider connections) {
        return new JdbcSettleStore(connections, table);
    }

    @Override
    public PublishStore publisher(TxContext context) {
        return new Publisher(context, table);
    }

    /** Stores events in the context's transaction. */
    private record Publisher(TxContext context, EventTable table) implements PublishStore {

        @Override
        public boolean isTransactionActive() {
            return context.isTransactionActive();
        }

        @Override
        public void store(List<EventEnvelope> events, @Nullable ClaimTerms claim) {
            insert(context.currentConnection(), table, events, claim);
        }

        @Override
        public void afterCommit(Runnable action) {
            context.afterCommit(action);
        }
    }

    // ---- the plain store: no claims ----------------------------------------------------------------------------

    @Override
    public void insertNew(Connection conn, EventEnvelope event) {
        insert(conn, table, List.of(event), null);
    }

    private static void insert(
            Connection conn, EventTable table, List<EventEnvelope> events, @Nullable ClaimTerms claim) {
        EventTable.Bound bound = table.in(conn);
        new EventInsert(bound.dialect(), bound.sql(), claim).execute(conn, events);
    }

    @Override
    public int markDone(Connection conn, String eventId) {
        String set = "status = 1, done_at = " + dialect(conn).now();
        return mark(conn, "mark event " + eventId + " done", set, statement -> statement.setString(1, eventId));
    }

    @Override
    public int markRetry(Connection conn, String eventId, Instant nextAt, String error) {
        Dialect dialect = dialect(conn);
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
                + dialect(conn).now() + ", " + EventSql.UNCLAIM + " WHERE event_id = ? AND status <> 1";
        return Sql.update(conn, attempted, update, binding);
    }

    @Override
    public List<OutboxEvent> pollPending(Connection conn, Instant now, Duration skipRecent, int limit) {
        EventTable.Bound bound = table.in(conn);
        return Sql.query(
                conn,
                "look for pending events",
                bound.sql().pollPending,
                statement -> {
                    bound.dialect().bindInstant(statement, 1, now);
                    bound.dialect().bindInstant(statement, 2, now.minus(skipRecent));
                    statement.setInt(3, limit);
                },
                rows -> new Unreadable(bound.dialect(), tables)
                        .readable(conn, RowReader.stored(bound.dialect(), rows)));
    }

    private Dialect dialect(Connection conn) {
        return table.in(conn).dialect();
    }
}
