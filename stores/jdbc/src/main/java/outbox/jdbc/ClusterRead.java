package outbox.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.RelayTermsException;
import outbox.model.ClaimStrategy;
import outbox.model.ClusterView;
import outbox.model.Member;
import outbox.model.RelayTerms;

/** The beat of a session, and the cluster as it then is: one statement on PostgreSQL, elsewhere two. */
record ClusterRead(Dialect dialect, TableNames tables, String session) {

    private static final int BEAT = 0;
    private static final int META = 1;
    private static final int MEMBER = 2;

    private static final String[] COLUMNS = {"kind", "n", "m", "big", "text1", "text2", "text3", "text4", "at_time"};

    /** The beat's result is not seen by the rest of the statement, which therefore takes the session for alive. */
    Optional<ClusterView> beatAndRead(Connection conn, Duration timeout) {
        String sql = "WITH beat AS (" + new NodeRows(dialect, tables).beatSql() + " RETURNING 1) "
                + row(BEAT, "0", "NULL::int", "0::bigint", "NULL::text", "''", "''", "''", "NULL::timestamptz")
                + " FROM beat UNION ALL " + view("NULL::int", "NULL::timestamptz");
        return Sql.query(
                conn,
                "beat",
                sql,
                statement -> {
                    statement.setLong(1, Micros.of(timeout));
                    statement.setString(2, session);
                    statement.setString(3, session);
                    statement.setString(4, session);
                },
                this::read);
    }

    boolean beat(Connection conn, Duration timeout) {
        return Sql.update(conn, "beat", new NodeRows(dialect, tables).beatSql(), statement -> {
                    statement.setLong(1, Micros.of(timeout));
                    statement.setString(2, session);
                })
                > 0;
    }

    Optional<ClusterView> read(Connection conn) {
        return Sql.query(
                conn,
                "look at the cluster",
                row(BEAT, "0", "0", "0", "''", "''", "''", "''", dialect.now()) + " UNION ALL " + view("NULL", "NULL"),
                statement -> {
                    statement.setString(1, session);
                    statement.setString(2, session);
                },
                this::read);
    }

    // Ordered by kind, then as each kind is to be: members by their time, slots by their number.
    private String view(String noNumber, String noTime) {
        String alive = "(expires_at > " + dialect.now() + " OR session_id = ?)";
        String node = tables.node();
        return row(META, "partitions", "partitions_wanted", "holds_version", "claim_strategy", "''", "''", "''", noTime)
                + " FROM " + tables.meta() + " WHERE id = 1 UNION ALL "
                + row(MEMBER, "weight", noNumber, "0", "session_id", "node_id", "version", "address", "joined_at")
                + " FROM " + node + " WHERE " + alive + " UNION ALL "
                + row(3, "s.slot", noNumber, "s.epoch", "n.session_id", "''", "''", "''", noTime) + " FROM "
                + tables.slot() + " s LEFT JOIN " + node + " n ON n.session_id = s.owner AND "
                + alive.replace("session_id", "n.session_id")
                + " ORDER BY kind, at_time, text1, n";
    }

    private static String row(int kind, String... values) {
        StringBuilder row = new StringBuilder("SELECT " + kind + " AS kind");
        for (int i = 0; i < values.length; i++) {
            row.append(", ").append(values[i]).append(" AS ").append(COLUMNS[i + 1]);
        }
        return row.toString();
    }

    private Optional<ClusterView> read(ResultSet rows) throws SQLException {
        if (!rows.next() || rows.getInt("kind") != BEAT) {
            return Optional.empty();
        }
        RelayTerms terms = null;
        Integer wanted = null;
        long holdsVersion = 0;
        List<Member> members = new ArrayList<>();
        List<ClusterView.SlotState> slots = new ArrayList<>();
        while (rows.next()) {
            int n = rows.getInt("n");
            String text = rows.getString("text1");
            switch (rows.getInt("kind")) {
                case META -> {
                    terms = new RelayTerms(strategy(text), n);
                    int m = rows.getInt("m");
                    wanted = rows.wasNull() ? null : Integer.valueOf(m);
                    holdsVersion = rows.getLong("big");
                }
                case MEMBER ->
                    members.add(new Member(
                            text, rows.getString("text2"), n, rows.getString("text3"), rows.getString("text4")));
                default -> slots.add(new ClusterView.SlotState(n, rows.getLong("big"), text));
            }
        }
        if (terms == null) {
            return Optional.empty();
        }
        int partitions = terms.strategy().hasSlots() ? terms.partitions() : 0;
        List<ClusterView.SlotState> mine = slots.stream()
                .filter(slot -> slot.slot() < partitions)
                .sorted(Comparator.comparingInt(ClusterView.SlotState::slot))
                .toList();
        return Optional.of(new ClusterView(members, mine, terms, wanted, holdsVersion));
    }

    private ClaimStrategy strategy(@Nullable String word) {
        return Stream.of(ClaimStrategy.values())
                .filter(strategy -> strategy.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new RelayTermsException("table " + tables.event() + " is worked with claim strategy "
                        + word + ", which no relay knows"));
    }
}
