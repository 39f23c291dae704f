package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.relay.PartitionRead;
import outbox.jdbc.internal.relay.PostgresHorizon;

/** How a relay reads partitions and lanes. The event has the alias e throughout. */
public interface PartitionReads {

    Dialect dialect();

    TableNames tables();

    /** The event table, read through the index of the partitions. */
    default String partitionTable(int partitions) {
        return dialect().indexed(tables(), "e", "p" + partitions);
    }

    /** The condition of a pending event in a partition, above a seq; {@link #bindPartition} sets its parameters. */
    String inPartition(int partitions, int partition);

    /** Sets the parameters of {@link #inPartition} from the index on, and returns the index behind them. */
    default int bindPartition(PreparedStatement statement, int index, int partition, long afterSeq)
            throws SQLException {
        statement.setLong(index, afterSeq);
        return index + 1;
    }

    /** The order of insertion in a partition, as the index of the partitions has it. */
    String partitionOrder(int partitions);

    /** The count behind LIMIT or OFFSET, in a form that does not lead the database to a plan that sorts. */
    String count(String count);

    /** The condition that an event's lane is none of these; {@link #bindLanes} sets its parameters. */
    String notInLanes(List<Integer> lanes);

    /** Sets the parameters of {@link #notInLanes} from the index on, and returns the index behind them. */
    int bindLanes(Connection conn, PreparedStatement statement, int index, List<Integer> lanes) throws SQLException;

    /** The condition of an event in a partition that is in order, above a seq, and in no lane left out. */
    default String newEvents(int partitions, int partition, List<Integer> lanesLeftOut) {
        return inPartition(partitions, partition) + " AND " + EventSql.inOrder(dialect(), "e") + " AND "
                + notInLanes(lanesLeftOut);
    }

    /** What is in order in each of the lanes, limited; {@link #bindChosenLanes} sets its parameters. */
    String choiceOfLanes(List<Integer> lanes);

    /** Sets the parameters of {@link #choiceOfLanes}, from the first on, and returns the index behind them. */
    int bindChosenLanes(Connection conn, PreparedStatement statement, List<Integer> lanes, int eventsPerLane)
            throws SQLException;

    /** What a horizon compares, as scalar subqueries; empty where the database cannot give it. */
    Optional<Numbering> numbering();

    /**
     * How a database numbers its events.
     *
     * @param run distinguishes one numbering of the events from another
     * @param given the last number that was given out
     */
    record Numbering(String run, String given) {}

    /** Reads the front of each partition: in one statement where the database can, and all events are small. */
    List<PartitionRead.Result> fetch(Connection conn, List<PartitionRead> reads);

    /** The snapshot in a row of {@link #front}; null where the database does not show it. */
    PostgresHorizon.@Nullable Snapshot snapshot(ResultSet row) throws SQLException;

    /** The partition of an event, computed from its key's hash. */
    default String partitionOf(int partitions) {
        return "MOD(e.key_hash, " + partitions + ")";
    }

    /** The event table, read through the index of delayed events. */
    default String delayedTable() {
        return dialect().indexed(tables(), "e", "delayed");
    }

    /** The condition of an event that was delayed or replayed and not attempted since. */
    String delayed();

    /** The due time of a {@link #delayed} event. */
    String delayedUntil();

    /**
     * A SELECT of whole rows, with their size and the time, of the front of a choice.
     *
     * @param choice gives what {@link #chosenColumns} names, in any order
     * @param order in which the choice is counted; the statement gives the rows in any
     */
    String front(String choice, String order);

    /** A choice with the place of each of its rows, and the bytes before it. */
    static String counted(String choice, String order) {
        return "SELECT w.*, SUM(w.size) OVER (ORDER BY " + order + " ROWS UNBOUNDED PRECEDING) - w.size AS size_before,"
                + " ROW_NUMBER() OVER (ORDER BY " + order + ") AS place FROM (" + choice + ") w";
    }

    /**
     * The condition of a counted row within the bytes that are its parameter, or the first beyond them, which shows that
     * the page is cut. The first row of all may be larger than these bytes.
     */
    String FITS = "(chosen.size_before <= ? OR chosen.place <= 2)";

    /** The columns that a choice has to give. */
    String chosenColumns();
}
