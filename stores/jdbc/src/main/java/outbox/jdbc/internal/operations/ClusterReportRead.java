package outbox.jdbc.internal.operations;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.relay.MetaRow;
import outbox.jdbc.internal.relay.NodeRows;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.operations.ClusterReport;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.StoredLayout;

/** The relays of a table as an operator sees them. Nothing is locked: what is read was so a moment ago. */
record ClusterReportRead(Dialect dialect, TableNames tables) {

    ClusterReport read(Connection conn) {
        Instant now = Sql.list(conn, "read the time", "SELECT " + dialect.now(), dialect::instant)
                .getFirst();
        StoredLayout stored = new MetaRow(dialect, tables).read(conn);
        ClusterLayout layout = stored.layout().orElse(null);
        List<ClusterReport.Partition> slots =
                layout == null || !layout.strategy().usesPartitions() ? List.of() : slots(conn, layout.partitions());
        return new ClusterReport(now, layout, stored.partitionsWanted(), nodes(conn), slots);
    }

    private List<ClusterReport.Node> nodes(Connection conn) {
        return Sql.list(
                conn,
                "read the nodes",
                "SELECT session_id, node_id, weight, version, address, joined_at, heartbeat_at, expires_at,"
                        + " COALESCE(beat_micros, 0) AS every, ready FROM "
                        + tables.node() + " ORDER BY node_id, joined_at, session_id",
                row -> new ClusterReport.Node(
                        NodeRows.member(row),
                        dialect.instant(row, "joined_at"),
                        dialect.instant(row, "heartbeat_at"),
                        dialect.instant(row, "expires_at"),
                        Duration.of(row.getLong("every"), ChronoUnit.MICROS),
                        row.getInt("ready") != 0));
    }

    private List<ClusterReport.Partition> slots(Connection conn, int partitions) {
        return Sql.list(
                conn,
                "read the owners of slots",
                "SELECT s.slot, s.epoch, n.session_id, s.acquired_at FROM " + tables.slot() + " s LEFT JOIN "
                        + tables.node() + " n ON n.session_id = s.owner AND n.expires_at > " + dialect.now()
                        + " WHERE s.slot < " + partitions + " ORDER BY s.slot",
                row -> new ClusterReport.Partition(
                        row.getInt("slot"),
                        row.getLong("epoch"),
                        row.getString("session_id"),
                        dialect.readInstant(row, "acquired_at")));
    }
}
