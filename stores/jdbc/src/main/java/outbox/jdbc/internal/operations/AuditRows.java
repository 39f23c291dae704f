package outbox.jdbc.internal.operations;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.jdbc.internal.sql.SqlText;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;

/** The rows of the audit: each change, its author, and the events that it was done to. */
public record AuditRows(Dialect dialect, TableNames tables) {

    private static final String COLUMNS = "a.id, a.at, a.who, a.action, a.subject, a.detail";
    private static final int ROWS_MAX = 500;

    /** An entry that is yet to be written. */
    public record Entry(
            String who,
            String action,
            String subject,
            @Nullable String detail) {

        private @Nullable Object[] parameters() {
            return new @Nullable Object[] {who, action, subject, detail};
        }
    }

    public void add(Connection conn, String who, String action, String subject, @Nullable String detail) {
        insert(conn, new Entry(who, action, subject, detail));
    }

    /** Records what was done to events, in whose histories it is found. */
    void add(Connection conn, Entry entry, List<String> eventIds) {
        long id = insert(conn, entry);
        Sql.chunks(eventIds, ROWS_MAX)
                .forEach(some -> Sql.update(
                        conn,
                        "write the audit",
                        "INSERT INTO " + tables.auditEvent() + " (audit_id, event_id) VALUES "
                                + Sql.repeated("(" + id + ", ?)", some.size(), ", "),
                        some));
    }

    /** Records several changes in one statement. */
    public void addAll(Connection conn, List<Entry> entries) {
        List<@Nullable Object> parameters = new ArrayList<>();
        entries.forEach(entry -> Collections.addAll(parameters, entry.parameters()));
        Sql.update(conn, "write the audit", insert(entries.size()), parameters);
    }

    private String insert(int entries) {
        return "INSERT INTO " + tables.audit() + " (at, who, action, subject, detail) VALUES "
                + Sql.repeated("(" + dialect.now() + ", ?, ?, ?, ?)", entries, ", ");
    }

    private long insert(Connection conn, Entry entry) {
        try (PreparedStatement statement = conn.prepareStatement(insert(1), new String[] {"id"})) {
            Sql.bind(statement, 1, entry.parameters());
            statement.executeUpdate();
            try (ResultSet key = statement.getGeneratedKeys()) {
                key.next();
                return key.getLong(1);
            }
        } catch (SQLException e) {
            throw SqlFailure.of("write the audit", e);
        }
    }

    /** Latest first. */
    List<AuditEntry> page(Connection conn, AuditQuery query) {
        SqlText sql = new SqlText(dialect).add("SELECT " + COLUMNS + " FROM " + tables.audit() + " a");
        if (query.before() != null) {
            sql.add(" WHERE a.id < ?", query.before().longValue());
        }
        sql.add(" ORDER BY a.id DESC LIMIT " + query.limit());
        return Sql.query(conn, "read the audit", sql.toString(), sql::bind, rows -> Sql.all(rows, this::read));
    }

    /** The latest changes that were made to an event, oldest first. */
    List<AuditEntry> of(Connection conn, String eventId, int limit) {
        String select = "SELECT " + COLUMNS + " FROM " + tables.auditEvent() + " l JOIN " + tables.audit()
                + " a ON a.id = l.audit_id WHERE l.event_id = ? ORDER BY l.audit_id DESC LIMIT "
                + limit;
        return Sql.list(conn, "read what was done to event " + eventId, select, this::read, eventId)
                .reversed();
    }

    private AuditEntry read(ResultSet row) throws SQLException {
        return new AuditEntry(
                row.getLong("id"),
                dialect.instant(row, "at"),
                row.getString("who"),
                row.getString("action"),
                row.getString("subject"),
                row.getString("detail"));
    }
}
