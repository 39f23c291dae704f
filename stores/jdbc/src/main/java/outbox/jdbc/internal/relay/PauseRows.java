package outbox.jdbc.internal.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.Pause;

/** What is on hold. Changes are made under the lock of the meta row, whose version they raise. */
public record PauseRows(Dialect dialect, TableNames tables) {

    List<Pause> all(Connection conn) {
        return Sql.list(
                conn,
                "read what is on hold",
                "SELECT kind, name, reason, held_by, held_since FROM " + tables.hold()
                        + " ORDER BY held_since, kind, name",
                this::read);
    }

    private Pause read(ResultSet row) throws SQLException {
        Pause.Kind kind = Pause.Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT));
        return new Pause(
                new Pause.Subject(kind, row.getString("name")),
                row.getString("reason"),
                row.getString("held_by"),
                dialect.instant(row, "held_since"));
    }

    /** False when it was on hold already. */
    public boolean add(Connection conn, Pause.Subject subject, String reason, String by) {
        List<String> there = Sql.query(
                conn,
                "look for a hold",
                "SELECT kind FROM " + tables.hold() + " WHERE kind = ? AND name = ?",
                statement -> bind(statement, subject),
                Sql::strings);
        if (!there.isEmpty()) {
            return false;
        }
        Sql.update(
                conn,
                "put on hold",
                "INSERT INTO " + tables.hold() + " (kind, name, reason, held_by, held_since) VALUES (?, ?, ?, ?, "
                        + dialect.now() + ")",
                statement -> {
                    bind(statement, subject);
                    statement.setString(3, reason);
                    statement.setString(4, by);
                });
        new MetaRow(dialect, tables).raiseHoldsVersion(conn);
        return true;
    }

    /** False when it was not on hold. */
    boolean remove(Connection conn, Pause.Subject subject) {
        int removed = Sql.update(
                conn,
                "end a hold",
                "DELETE FROM " + tables.hold() + " WHERE kind = ? AND name = ?",
                statement -> bind(statement, subject));
        if (removed > 0) {
            new MetaRow(dialect, tables).raiseHoldsVersion(conn);
        }
        return removed > 0;
    }

    private static void bind(PreparedStatement statement, Pause.Subject subject) throws SQLException {
        statement.setString(1, subject.kind().name().toLowerCase(Locale.ROOT));
        statement.setString(2, subject.name());
    }
}
