package outbox.jdbc;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Writes down who did what. */
record AuditRows(Dialect dialect, TableNames tables) {

    void add(Connection conn, String who, String action, String subject, @Nullable String detail) {
        Sql.update(
                conn,
                "write the audit",
                "INSERT INTO " + tables.audit() + " (at, who, action, subject, detail) VALUES (" + dialect.now()
                        + ", ?, ?, ?, ?)",
                statement -> {
                    statement.setString(1, who);
                    statement.setString(2, action);
                    statement.setString(3, subject);
                    statement.setString(4, detail);
                });
    }
}
