package outbox.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.ErrorText;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.event.CorruptRows;
import outbox.jdbc.internal.event.EventInsert;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.EventTable;
import outbox.jdbc.internal.event.JdbcClaimStore;
import outbox.jdbc.internal.event.JdbcSettleStore;
import outbox.jdbc.internal.event.StoredRow;
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
 * The outbox table on PostgreSQL, MySQL, MariaDB or H2, which the first connection identifies. Keeps no connection, so one
 * instance serves all threads.
 */
public final class JdbcOutboxRepository implements ClaimingEventStore {

    private final EventTable table;

    /** The table {@code outbox_event}. */
    public JdbcOutboxRepository() {
        this(TableNames.DEFAULT);
    }

    public JdbcOutboxRepository(TableNames tables) {
        this.table = new EventTable(tables);
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
        return mark(
                conn, eventId, "done", "status = 1, done_at = " + dialect(conn).now());
    }

    @Override
    public int markRetry(Connection conn, String eventId, Instant nextAt, String error) {
        String set = "status = 2, attempts = attempts + 1, available_at = ?, last_error = ?";
        return mark(conn, eventId, "for retry", set, dialect(conn).parameter(nextAt), ErrorText.fit(error));
    }

    @Override
    public int markDead(Connection conn, String eventId, String error) {
        return mark(conn, eventId, "dead", "status = 3, last_error = ?", ErrorText.fit(error));
    }

    private int mark(Connection conn, String eventId, String how, String set, Object... parameters) {
        String update = "UPDATE " + table.names().event() + " SET " + set + ", last_attempt_at = "
                + dialect(conn).now() + ", " + EventSql.UNCLAIM + " WHERE event_id = ? AND status <> 1";
        return Sql.update(conn, "mark event " + eventId + " " + how, update, List.of(parameters), eventId);
    }

    @Override
    public List<OutboxEvent> pollPending(Connection conn, Instant now, Duration skipRecent, int limit) {
        EventTable.Bound bound = table.in(conn);
        Dialect dialect = bound.dialect();
        Object until = dialect.parameter(now);
        Object youngest = dialect.parameter(now.minus(skipRecent));
        String poll = bound.sql().pollPending;
        List<StoredRow> rows = RowReader.query(conn, dialect, "poll pending events", poll, until, youngest, limit);
        return new CorruptRows(dialect, table.names()).readable(conn, rows);
    }

    private Dialect dialect(Connection conn) {
        return table.in(conn).dialect();
    }
}
