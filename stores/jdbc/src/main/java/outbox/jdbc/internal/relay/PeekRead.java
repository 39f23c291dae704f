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
 * Claim: one look at all slots of a node, in one statement. Which slots have news is one step into an index each; what
 * came due is a range of the index of delayed events.
 *
 * <p>Of what came due at most a thousand are named, and all that came due at the same time as the last of them: so the
 * next look, which begins behind that time, leaves none out, however many share it.
 */
public record PeekRead(PartitionReads relayDialect, PeekRequest request) {

    static final int DUE_MAX = 1_000;

    /** There is none; but with one, the database walks the index and does not sort the table. */
    private static final String NO_LIMIT = String.valueOf(Integer.MAX_VALUE);

    private static final int NEWS = 1;
    private static final int NOW = 2;
    private static final int NEXT_DUE = 3;
    private static final int CUT_OFF = 4;
    private static final int DUE = 5;
    private static final int NUMBERING = 6;
    private static final int GIVEN = 7;

    /**
     * What was seen.
     *
     * @param snapshot the numbering that it is of; null where the database cannot tell
     */
    record Seen(PeekResult polled, PostgresHorizon.@Nullable Snapshot snapshot) {}

    Seen execute(Connection conn) {
        return Sql.query(
                relayDialect.dialect().preferIndexes(),
                conn,
                "look for news",
                sql(),
                statement -> bind(conn, statement),
                this::read);
    }

    private boolean looksForDue() {
        return request.dueSince() != null && !request.positions().isEmpty();
    }

    public String sql() {
        String now = relayDialect.dialect().now();
        String until = relayDialect.delayedUntil();
        String delayed = relayDialect.delayedTable() + " WHERE " + relayDialect.delayed() + " AND " + until;
        Stream<String> clock = Stream.of(
                row(NOW, "0", now),
                row(
                        NEXT_DUE,
                        "0",
                        "(SELECT " + until + " FROM " + delayed + " > " + now + " ORDER BY " + until + " LIMIT 1)"));
        Stream<String> news = request.positions().stream().map(this::newsOf);
        return Stream.of(clock, numbering(), news, looksForDue() ? due(now, until, delayed) : Stream.<String>empty())
                .flatMap(part -> part)
                .collect(Collectors.joining(" UNION ALL "));
    }

    private Stream<String> numbering() {
        return request.positions().isEmpty()
                ? Stream.empty()
                : relayDialect.numbering().stream()
                        .flatMap(of -> Stream.of(row(NUMBERING, of.run(), "NULL"), row(GIVEN, of.given(), "NULL")));
    }

    private String newsOf(PeekRequest.Position position) {
        int partitions = request.terms().partitions();
        return row(NEWS, String.valueOf(position.partition()), "NULL") + " FROM (SELECT 1 AS one FROM "
                + relayDialect.slotTable(partitions) + " WHERE "
                + relayDialect.news(partitions, position.partition(), lanes(position)) + " ORDER BY "
                + relayDialect.slotOrder(partitions) + " LIMIT 1) news";
    }

    private Stream<String> due(String now, String until, String delayed) {
        String ofMine = " AND " + relayDialect.slotOf(request.terms().partitions()) + " IN ("
                + request.positions().stream()
                        .map(position -> String.valueOf(position.partition()))
                        .collect(Collectors.joining(", "))
                + ")";
        String cameDue = delayed + " > ? AND " + until + " <= " + now + ofMine;
        String cutOff = "(SELECT " + until + " FROM " + cameDue + " ORDER BY " + until + " LIMIT 1 OFFSET "
                + relayDialect.count(String.valueOf(DUE_MAX - 1)) + ")";
        return Stream.of(
                row(CUT_OFF, "0", cutOff),
                row(DUE, "due.key_hash", "due.at_time") + " FROM (SELECT e.key_hash, " + until + " AS at_time FROM "
                        + cameDue + " AND " + until + " <= COALESCE(" + cutOff + ", " + now + ") ORDER BY " + until
                        + " LIMIT " + relayDialect.count(NO_LIMIT) + ") due");
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
            at = relayDialect.bindSlot(statement, at, position.partition(), position.afterSeq());
            at = relayDialect.bindLanes(conn, statement, at, lanes(position));
        }
        if (looksForDue()) {
            for (int times = 0; times < 3; times++) {
                relayDialect.dialect().bindInstant(statement, at++, request.dueSince());
            }
        }
    }

    private Seen read(ResultSet rows) throws SQLException {
        Set<Integer> slots = new HashSet<>();
        Set<Integer> lanesDue = new HashSet<>();
        Instant now = Instant.EPOCH;
        Instant nextDue = null;
        Instant cutOff = null;
        Long numbering = null;
        long given = 0;
        while (rows.next()) {
            Instant time = relayDialect.dialect().readInstant(rows, "at_time");
            switch (rows.getInt("kind")) {
                case NEWS -> slots.add(rows.getInt("n"));
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
        return new Seen(polled, numbering == null ? null : new PostgresHorizon.Snapshot(numbering, given, 0));
    }

    private static @Nullable Duration until(Instant now, @Nullable Instant nextDue) {
        return nextDue == null ? null : Duration.between(now, nextDue);
    }
}
