package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.SettleItem;

/** The rows that record failed attempts. */
record FailedAttempts(Dialect dialect, TableNames tables) {

    private static final int ROWS_MAX = 500;

    /** An attempt that failed, with its error as it is stored. */
    record Failed(SettleItem item, String error) {}

    void insert(Connection conn, String nodeId, List<Failed> failed) {
        for (List<Failed> some : Sql.chunks(failed, ROWS_MAX)) {
            String insert = "INSERT INTO " + tables.attempt()
                    + " (event_id, attempt, node_id, destination, error, failed_at) VALUES "
                    + Sql.repeated("(?, ?, ?, ?, ?, " + dialect.now() + ")", some.size(), ", ");
            List<@Nullable Object> parameters = new ArrayList<>();
            for (Failed one : some) {
                SettleItem item = one.item();
                Collections.addAll(
                        parameters,
                        item.eventId(),
                        item.expectedAttempts() + 1,
                        nodeId,
                        item.destination(),
                        one.error());
            }
            Sql.update(conn, "record failed attempts", insert, parameters);
        }
    }
}
