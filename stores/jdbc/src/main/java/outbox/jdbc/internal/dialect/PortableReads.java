package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.relay.PartitionRead;
import outbox.jdbc.internal.relay.PostgresHorizon;

/**
 * What MySQL, MariaDB and H2 have in common. A choice is made of ids and sizes alone, so that no payload is copied
 * before it is known to be wanted; its rows are then read by their primary key, in the same statement and so in the
 * same snapshot.
 */
interface PortableReads extends PartitionReads {

    @Override
    default String count(String count) {
        return count;
    }

    // Numbers, so they can stand in the statement, which has limits for parameters and none for its length.
    @Override
    default String notInLanes(List<Integer> lanes) {
        return lanes.isEmpty()
                ? "1 = 1"
                : lanes.stream().map(String::valueOf).collect(Collectors.joining(", ", "e.key_hash NOT IN (", ")"));
    }

    @Override
    default int bindLanes(Connection conn, PreparedStatement statement, int index, List<Integer> lanes) {
        return index;
    }

    @Override
    default String choiceOfLanes(List<Integer> lanes) {
        String from = "SELECT " + chosenColumns() + " FROM " + dialect().indexed(tables(), "e", "lane") + " WHERE "
                + dialect().pendingInLane("e") + " AND e.key_hash = ";
        String behind = " AND " + EventSql.inOrder(dialect(), "e") + " ORDER BY e.pending, e.key_hash, e.seq LIMIT ?";
        return lanes.stream().map(lane -> "(" + from + lane + behind + ")").collect(Collectors.joining(" UNION ALL "));
    }

    @Override
    default int bindChosenLanes(Connection conn, PreparedStatement statement, List<Integer> lanes, int eventsPerLane)
            throws SQLException {
        for (int at = 1; at <= lanes.size(); at++) {
            statement.setInt(at, eventsPerLane);
        }
        return lanes.size() + 1;
    }

    @Override
    default PostgresHorizon.@Nullable Snapshot snapshot(ResultSet row) {
        return null;
    }

    @Override
    default Optional<Numbering> numbering() {
        return Optional.empty();
    }

    @Override
    default List<PartitionRead.Result> fetch(Connection conn, List<PartitionRead> reads) {
        return reads.stream().map(read -> read.execute(conn)).toList();
    }

    @Override
    default String front(String choice, String order) {
        return "SELECT " + EventSql.OF_T + ", t.key_hash, chosen.size, "
                + dialect().now() + " AS now_at FROM (" + PartitionReads.counted(choice, order) + ") chosen "
                + joinInOrder() + " " + tables().event() + " t ON t.event_id = chosen.event_id WHERE "
                + PartitionReads.FITS;
    }

    /** JOIN, with the left side read first where the statement can say so. */
    String joinInOrder();

    @Override
    default String chosenColumns() {
        return "e.event_id, e.seq, e.key_hash, " + EventSql.SIZE + " AS size";
    }
}
