package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.util.List;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.InList;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.SettleItem;

/** The rows that tell of failed attempts. */
record FailedAttempts(Dialect dialect, TableNames tables) {

    private static final int ROWS_MAX = 500;

    /** An attempt that failed, with its error as it is stored. */
    record Failed(SettleItem item, String error) {}

    void insert(Connection conn, String nodeId, List<Failed> failed) {
        for (int from = 0; from < failed.size(); from += ROWS_MAX) {
            insertSome(conn, nodeId, failed.subList(from, Math.min(failed.size(), from + ROWS_MAX)));
        }
    }

    private void insertSome(Connection conn, String nodeId, List<Failed> failed) {
        String insert = "INSERT INTO " + tables.attempt()
                + " (event_id, attempt, node_id, destination, error, failed_at) VALUES "
                + InList.repeated("(?, ?, ?, ?, ?, " + dialect.now() + ")", failed.size(), ", ");
        Sql.update(conn, "write down failed attempts", insert, statement -> {
            int at = 0;
            for (Failed one : failed) {
                statement.setString(++at, one.item().eventId());
                statement.setInt(++at, one.item().expectedAttempts() + 1);
                statement.setString(++at, nodeId);
                statement.setString(++at, one.item().destination());
                statement.setString(++at, one.error());
            }
        });
    }

    void delete(Connection conn, List<String> eventIds) {
        Sql.deleteByEvent(conn, tables.attempt(), eventIds);
    }
}
