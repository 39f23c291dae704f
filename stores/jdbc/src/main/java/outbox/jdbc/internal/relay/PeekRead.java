package outbox.jdbc.internal.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.dialect.PartitionReads;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.PeekRequest;
import outbox.spi.relay.PeekResult;

/**
 * Claim: peeks at all partitions of a node, in one statement. Whether a partition has new events is one step into an
 * index; what came due is a range of the index of delayed events.
 *
 * <p>Of what came due at most a thousand are named, and all that came due at the same time as the last of them: so the
 * next peek, which begins behind that time, leaves none out, however many share it.
 */
public record PeekRead(PartitionReads reads, PeekRequest request) {

    static final int DUE_MAX = 1_000;

    /** With a limit, the database walks the index and does not sort the table. */
    private static final String NO_LIMIT = String.valueOf(Integer.MAX_VALUE);

    private static final int NEW_EVENTS = 1;
    private static final int NOW = 2;
    private static final int NEXT_DUE = 3;
    private static final int CUT_OFF = 4;
    private static final int DUE = 5;
    private static final int NUMBERING = 6;
    private static final int GIVEN = 7;

    /** @param snapshot the numbering that the result is of; null where the database does not show it */
    record Result(PeekResult polled, PostgresHorizon.@Nullable Snapshot snapshot) {}

    Result execute(Connection conn) {
        String preface = reads.dialect().preferIndexes();
        return Sql.query(preface, conn, "peek at partitions", sql(), statement -> bind(conn, statement), this::read);
    }

    public String sql() {
        String now = reads.dialect().now();
        String until = reads.delayedUntil();
        String delayed = reads.delayedTable() + " WHERE " + reads.delayed() + " AND " + until;
        Stream<String> clock = Stream.of(
                row(NOW, "0", now),
                row(
                        NEXT_DUE,
                        "0",
                        "(SELECT " + until + " FROM " + delayed + " > " + now + " ORDER BY " + until + " LIMIT 1)"));
        Stream<String> newEvents = request.positions().stream().map(this::peekPartition);
        return Stream.of(
                        clock,
                        numbering(),
                        newEvents,
                        request.dueSince() != null && !request.positions().isEmpty()
                                ? due(now, until, delayed)
                                : Stream.<String>empty())
                .flatMap(part -> part)
                .collect(Collectors.joining(" UNION ALL "));
    }

    private Stream<String> numbering() {
        return request.positions().isEmpty()
                ? Stream.empty()
                : reads.numbering().stream()
                        .flatMap(of -> Stream.of(row(NUMBERING, of.run(), "NULL"), row(GIVEN, of.given(), "NULL")));
    }

    private String peekPartition(PeekRequest.Position position) {
        int partitions = request.terms().partitions();
        return row(NEW_EVENTS, String.valueOf(position.partition()), "NULL") + " FROM (SELECT 1 AS one FROM "
                + reads.partitionTable(partitions) + " WHERE "
                + reads.newEvents(partitions, position.partition(), lanes(position)) + " ORDER BY "
                + reads.partitionOrder(partitions) + " LIMIT 1) found";
    }

    private Stream<String> due(String now, String until, String delayed) {
        String ofMine = " AND " + reads.partitionOf(request.terms().partitions()) + " IN ("
                + request.positions().stream()
                        .map(position -> String.valueOf(position.partition()))
                        .collect(Collectors.joining(", "))
                + ")";
        String cameDue = delayed + " > ? AND " + until + " <= " + now + ofMine;
        String cutOff = "(SELECT " + until + " FROM " + cameDue + " ORDER BY " + until + " LIMIT 1 OFFSET "
                + reads.count(String.valueOf(DUE_MAX - 1)) + ")";
        return Stream.of(
                row(CUT_OFF, "0", cutOff),
                row(DUE, "due.key_hash", "due.at_time") + " FROM (SELECT e.key_hash, " + until + " AS at_time FROM "
                        + cameDue + " AND " + until + " <= COALESCE(" + cutOff + ", " + now + ") ORDER BY " + until
                        + " LIMIT " + reads.count(NO_LIMIT) + ") due");
    }

    private static String row(int kind, String number, String time) {
        return "SELECT " + kind + " AS kind, " + number + " AS n, " + time + " AS at_time";
    }

    private static List<Integer> lanes(PeekRequest.Position position) {
        return List.copyOf(position.lanesLeftOut());
    }

    public void bind(Connection conn, PreparedStatement statement) throws SQLException {
        int at = 1;
        for (PeekRequest.Position position : request.positions()) {
            at = reads.bindPartition(statement, at, position.partition(), position.afterSeq());
            at = reads.bindLanes(conn, statement, at, lanes(position));
        }
        Instant since = request.dueSince();
        if (since != null && !request.positions().isEmpty()) {
            Object from = reads.dialect().parameter(since);
            Sql.bind(statement, at, from, from, from);
        }
    }

    private Result read(ResultSet rows) throws SQLException {
        Set<Integer> slots = new HashSet<>();
        Set<Integer> lanesDue = new HashSet<>();
        Instant now = Instant.EPOCH;
        Instant nextDue = null;
        Instant cutOff = null;
        Long numbering = null;
        long given = 0;
        while (rows.next()) {
            Instant time = reads.dialect().readInstant(rows, "at_time");
            switch (rows.getInt("kind")) {
                case NEW_EVENTS -> slots.add(rows.getInt("n"));
                case NOW -> now = Objects.requireNonNull(time);
                case NEXT_DUE -> nextDue = time;
                case CUT_OFF -> cutOff = time;
                case NUMBERING -> numbering = rows.getLong("n");
                case GIVEN -> given = rows.getLong("n");
                default -> lanesDue.add(rows.getInt("n"));
            }
        }
        PeekResult polled =
                new PeekResult(slots, lanesDue, cutOff == null ? now : cutOff, cutOff != null, until(now, nextDue));
        return new Result(polled, numbering == null ? null : new PostgresHorizon.Snapshot(numbering, given, 0));
    }

    private static @Nullable Duration until(Instant now, @Nullable Instant nextDue) {
        return nextDue == null ? null : Duration.between(now, nextDue);
    }
}
