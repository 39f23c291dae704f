package outbox.jdbc.internal.operations;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.internal.JdbcTransaction;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.Unreadable;
import outbox.jdbc.internal.sql.InList;
import outbox.jdbc.internal.sql.RowReader;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.DeadFilter;
import outbox.model.DeadPosition;
import outbox.model.OutboxEvent;
import outbox.spi.AdminStore;
import outbox.spi.ConnectionProvider;
import outbox.spi.operations.BoundedCount;

/** Dead events in the outbox table: to be seen, counted and replayed. Reads the index of settled events only. */
public final class JdbcAdminStore implements AdminStore {

    private final ConnectionProvider connectionProvider;
    private final TableNames tables;

    public JdbcAdminStore(ConnectionProvider connectionProvider) {
        this(connectionProvider, TableNames.DEFAULT);
    }

    public JdbcAdminStore(ConnectionProvider connectionProvider, TableNames tables) {
        this.connectionProvider = connectionProvider;
        this.tables = tables;
    }

    @Override
    public Optional<OutboxEvent> find(String eventId) {
        return JdbcTransaction.run(connectionProvider, conn -> {
            List<OutboxEvent> found = Sql.query(
                    conn,
                    "find event " + eventId,
                    "SELECT " + EventSql.COLUMNS + " FROM " + tables.event() + " WHERE event_id = ?",
                    statement -> statement.setString(1, eventId),
                    rows -> RowReader.all(Dialect.of(conn), rows));
            return found.stream().findFirst();
        });
    }

    @Override
    public List<OutboxEvent> listDead(DeadFilter filter, @Nullable DeadPosition after, int limit) {
        return JdbcTransaction.run(connectionProvider, conn -> {
            Dialect dialect = Dialect.of(conn);
            DeadQuery query = new DeadQuery(dialect, filter).after(after);
            return Sql.query(
                    conn,
                    "list dead events",
                    query.select(EventSql.COLUMNS, tables, checked(limit)),
                    query::bind,
                    rows -> RowReader.all(dialect, rows));
        });
    }

    @Override
    public BoundedCount countDead(DeadFilter filter, int limit) {
        return JdbcTransaction.run(connectionProvider, conn -> {
            DeadQuery query = new DeadQuery(Dialect.of(conn), filter);
            return BoundedCounts.count(conn, tables.event(), query.condition(), query::bind, checked(limit));
        });
    }

    @Override
    public boolean replay(String eventId) {
        return JdbcTransaction.run(connectionProvider, conn -> replay(conn, List.of(eventId))) == 1;
    }

    @Override
    public int replayDead(DeadFilter filter, int max) {
        return JdbcTransaction.run(connectionProvider, conn -> {
            DeadQuery query = new DeadQuery(Dialect.of(conn), filter);
            List<String> ids = Sql.query(
                    conn,
                    "choose dead events",
                    query.select("event_id", tables, checked(max)) + " FOR UPDATE SKIP LOCKED",
                    query::bind,
                    Sql::strings);
            return ids.isEmpty() ? 0 : replay(conn, ids);
        });
    }

    private int replay(Connection conn, List<String> ids) {
        new Unreadable(Dialect.of(conn), tables).rehash(conn, ids);
        String update =
                "UPDATE " + tables.event() + " SET status = 0, attempts = 0, replays = replays + 1, available_at = "
                        + Dialect.of(conn).now() + " WHERE status + 0 NOT IN (0, 1, 2) AND event_id IN "
                        + InList.of(ids.size());
        return Sql.update(conn, "replay dead events", update, statement -> InList.bind(statement, 1, ids));
    }

    private static int checked(int limit) {
        if (limit < 1 || limit > 10_000) {
            throw new IllegalArgumentException("limit must be from 1 to 10000, was " + limit);
        }
        return limit;
    }

    /** The filter as a condition with parameters, in the order in which they are bound. */
    public static final class DeadQuery {

        private final Dialect dialect;
        // Dead events have no done_at; saying so lets the index of settled events give them by creation time.
        private final StringBuilder condition = new StringBuilder("status = 3 AND done_at IS NULL");
        private final List<Sql.Binding> bindings = new ArrayList<>();
        private int parameters;

        public DeadQuery(Dialect dialect, DeadFilter filter) {
            this.dialect = dialect;
            text("event_type = ?", filter.eventType());
            text("aggregate_id = ?", filter.aggregateId());
            text("tenant_id = ?", filter.tenantId());
            text("last_error LIKE ? ESCAPE '!'", contains(filter.errorContains()));
            time("created_at >= ?", filter.createdFrom());
            time("created_at < ?", filter.createdBefore());
        }

        public DeadQuery after(@Nullable DeadPosition position) {
            if (position != null) {
                // The bound that the index knows, and what of it is not behind.
                condition.append(" AND created_at >= ? AND NOT (created_at = ? AND event_id <= ?)");
                int first = parameters + 1;
                bindings.add(statement -> {
                    dialect.bindInstant(statement, first, position.createdAt());
                    dialect.bindInstant(statement, first + 1, position.createdAt());
                    statement.setString(first + 2, position.eventId());
                });
                parameters += 3;
            }
            return this;
        }

        // That done_at is said although it is null, is for PostgreSQL, which would not see that the index is in order.
        public String select(String columns, TableNames tables, int limit) {
            return "SELECT " + columns + " FROM " + tables.event() + " WHERE " + condition
                    + " ORDER BY done_at, created_at, event_id LIMIT " + limit;
        }

        String condition() {
            return condition.toString();
        }

        public void bind(PreparedStatement statement) throws SQLException {
            for (Sql.Binding binding : bindings) {
                binding.bind(statement);
            }
        }

        private void text(String test, @Nullable String value) {
            if (value != null) {
                condition.append(" AND ").append(test);
                int index = ++parameters;
                bindings.add(statement -> statement.setString(index, value));
            }
        }

        private void time(String test, @Nullable Instant value) {
            if (value != null) {
                condition.append(" AND ").append(test);
                int index = ++parameters;
                bindings.add(statement -> dialect.bindInstant(statement, index, value));
            }
        }

        private static @Nullable String contains(@Nullable String part) {
            return part == null
                    ? null
                    : "%" + part.replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%";
        }
    }
}
