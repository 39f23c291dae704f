package outbox.jdbc.internal.operations;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.operations.ClusterReport;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Member;

/** The relays of a table as an operator sees them. Nothing is locked: what is read was so a moment ago. */
record ClusterReportRead(Dialect dialect, TableNames tables) {

    /** What the meta row says, and when. */
    private record Meta(
            Instant now,
            @Nullable ClusterLayout terms,
            @Nullable Integer partitionsWanted) {}

    ClusterReport read(Connection conn) {
        Meta meta = meta(conn);
        ClusterLayout terms = meta.terms();
        List<ClusterReport.Slot> slots =
                terms == null || !terms.strategy().hasSlots() ? List.of() : slots(conn, terms.partitions());
        return new ClusterReport(meta.now(), terms, meta.partitionsWanted(), nodes(conn), slots);
    }

    private Meta meta(Connection conn) {
        return Sql.query(
                conn,
                "read how the table is worked",
                "SELECT claim_strategy, partitions, partitions_wanted, " + dialect.now() + " AS now_at FROM "
                        + tables.meta() + " WHERE id = 1",
                statement -> {},
                row -> {
                    row.next();
                    String word = row.getString("claim_strategy");
                    int partitions = row.getInt("partitions");
                    int number = row.getInt("partitions_wanted");
                    @Nullable Integer wanted = row.wasNull() ? null : Integer.valueOf(number);
                    return new Meta(instant(row, "now_at"), terms(word, partitions), wanted);
                });
    }

    // A table may also be worked by dispatchers, which have terms of their own.
    private static @Nullable ClusterLayout terms(@Nullable String word, int partitions) {
        return Stream.of(ClaimStrategy.values())
                .filter(strategy -> strategy.word().equals(word))
                .findFirst()
                .map(strategy -> new ClusterLayout(strategy, partitions))
                .orElse(null);
    }

    private List<ClusterReport.Node> nodes(Connection conn) {
        return Sql.query(
                conn,
                "look who is there",
                "SELECT session_id, node_id, weight, version, address, joined_at, heartbeat_at, expires_at,"
                        + " COALESCE(beat_micros, 0) AS every, ready FROM "
                        + tables.node() + " ORDER BY node_id, joined_at, session_id",
                statement -> {},
                rows -> {
                    List<ClusterReport.Node> nodes = new ArrayList<>();
                    while (rows.next()) {
                        Member member = new Member(
                                rows.getString("session_id"),
                                rows.getString("node_id"),
                                rows.getInt("weight"),
                                rows.getString("version"),
                                rows.getString("address"));
                        nodes.add(new ClusterReport.Node(
                                member,
                                instant(rows, "joined_at"),
                                instant(rows, "heartbeat_at"),
                                instant(rows, "expires_at"),
                                Duration.of(rows.getLong("every"), ChronoUnit.MICROS),
                                rows.getInt("ready") != 0));
                    }
                    return nodes;
                });
    }

    private List<ClusterReport.Slot> slots(Connection conn, int partitions) {
        return Sql.query(
                conn,
                "look who owns what",
                "SELECT s.slot, s.epoch, n.session_id, s.acquired_at FROM " + tables.slot() + " s LEFT JOIN "
                        + tables.node() + " n ON n.session_id = s.owner AND n.expires_at > " + dialect.now()
                        + " WHERE s.slot < " + partitions + " ORDER BY s.slot",
                statement -> {},
                rows -> {
                    List<ClusterReport.Slot> slots = new ArrayList<>();
                    while (rows.next()) {
                        slots.add(new ClusterReport.Slot(
                                rows.getInt("slot"),
                                rows.getLong("epoch"),
                                rows.getString("session_id"),
                                dialect.readInstant(rows, "acquired_at")));
                    }
                    return slots;
                });
    }

    private Instant instant(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(dialect.readInstant(row, column));
    }
}
