package outbox.jdbc.internal.relay;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.Pause;

/** The rows of pauses. Changes are made under the lock of the meta row, whose version they raise. */
public record PauseRows(Dialect dialect, TableNames tables) {

    List<Pause> all(Connection conn) {
        String select = "SELECT kind, name, reason, held_by, held_since FROM " + tables.hold()
                + " ORDER BY held_since, kind, name";
        return Sql.list(conn, "read the pauses", select, this::read);
    }

    private Pause read(ResultSet row) throws SQLException {
        Pause.Kind kind = Pause.Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT));
        return new Pause(
                new Pause.Subject(kind, row.getString("name")),
                row.getString("reason"),
                row.getString("held_by"),
                dialect.instant(row, "held_since"));
    }

    /** False when it was paused already. */
    public boolean add(Connection conn, Pause.Subject subject, String reason, String by) {
        String select = "SELECT kind FROM " + tables.hold() + " WHERE kind = ? AND name = ?";
        if (!Sql.strings(conn, "find a pause", select, kind(subject), subject.name())
                .isEmpty()) {
            return false;
        }
        String insert = "INSERT INTO " + tables.hold()
                + " (kind, name, reason, held_by, held_since) VALUES (?, ?, ?, ?, " + dialect.now() + ")";
        Sql.update(conn, "pause", insert, kind(subject), subject.name(), reason, by);
        new MetaRow(dialect, tables).raisePausesVersion(conn);
        return true;
    }

    /** False when it was not paused. */
    boolean remove(Connection conn, Pause.Subject subject) {
        String delete = "DELETE FROM " + tables.hold() + " WHERE kind = ? AND name = ?";
        int removed = Sql.update(conn, "end a pause", delete, kind(subject), subject.name());
        if (removed > 0) {
            new MetaRow(dialect, tables).raisePausesVersion(conn);
        }
        return removed > 0;
    }

    private static String kind(Pause.Subject subject) {
        return subject.kind().name().toLowerCase(Locale.ROOT);
    }
}
