package outbox.jdbc.internal.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.ClusterView.MemberState;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.StoredLayout;

/**
 * Writes the heartbeat of a session and reads the cluster as it then is: one statement on PostgreSQL, elsewhere two.
 *
 * @param lockServer the server on which the session has its lock; null when it has none
 * @param ownSessions the sessions whose locks are on this connection, which would take them for free
 * @param statementMax after which the server is to give a statement up
 */
public record ClusterRead(
        Dialect dialect,
        TableNames tables,
        Heartbeat heartbeat,
        @Nullable String lockServer,
        Set<String> ownSessions,
        Duration statementMax) {

    private static final int HEARTBEAT = 0;
    private static final int META = 1;
    private static final int MEMBER = 2;
    private static final int PARTITION = 3;

    private static final List<String> COLUMNS = List.of(
            "n", "m", "big", "text1", "text2", "text3", "text4", "at_time", "silent", "every", "ready", "ended");

    /**
     * Both at once. The rest of the statement does not see the heartbeat, and therefore takes the session for alive.
     *
     * @param preface a limit, as part of the same message
     */
    public Optional<ClusterView> inOneStatement(Connection conn, String preface) {
        String sql =
                "WITH sent AS (" + new NodeRows(dialect, tables).heartbeatSql() + " RETURNING 1) " + view("FROM sent");
        Sql.Binding binding =
                statement -> bindSession(statement, NodeRows.bindHeartbeat(statement, heartbeat, lockServer));
        return Sql.query(preface, conn, "send a heartbeat", sql, binding, this::read);
    }

    /**
     * One after the other.
     *
     * @param limit sets how long a statement may take
     */
    public Optional<ClusterView> inTwoStatements(Connection conn, Sql.Binding limit) {
        int written = Sql.update(conn, "send a heartbeat", new NodeRows(dialect, tables).heartbeatSql(), statement -> {
            limit.bind(statement);
            NodeRows.bindHeartbeat(statement, heartbeat, lockServer);
        });
        Sql.Binding binding = statement -> {
            limit.bind(statement);
            bindSession(statement, 1);
        };
        return written == 0 ? Optional.empty() : Sql.query(conn, "read the cluster", view(""), binding, this::read);
    }

    // The session counts as alive twice: as a member and as an owner.
    private void bindSession(PreparedStatement statement, int index) throws SQLException {
        Sql.bind(statement, index, heartbeat.session(), heartbeat.session());
    }

    // Ordered by kind, then as each kind is to be: members by their time, partitions by their number. In the text,
    // members and the meta row come first: they have every column, from which a null of the others takes its type.
    private String view(String fromHeartbeat) {
        String alive = "(expires_at > " + dialect.now() + " OR session_id = ?)";
        String node = tables.node();
        // A node that has no lock does not check those of others.
        String ended = lockServer == null ? "0" : new NodeRows(dialect, tables).connectionEnded();
        String silent = dialect.microsSince("heartbeat_at");
        return row(
                        MEMBER,
                        "weight",
                        "NULL",
                        "0",
                        "session_id",
                        "node_id",
                        "version",
                        "address",
                        "joined_at",
                        silent,
                        "COALESCE(beat_micros, 0)",
                        "ready",
                        ended)
                + " FROM " + node + " WHERE " + alive + " UNION ALL "
                + row(META, "partitions", "partitions_wanted", "holds_version", "claim_strategy")
                + " FROM " + tables.meta() + " WHERE id = 1 UNION ALL "
                + row(HEARTBEAT, "0", "NULL", "0", "NULL") + " " + fromHeartbeat + " UNION ALL "
                + row(PARTITION, "s.slot", "NULL", "s.epoch", "n.session_id") + " FROM "
                + tables.slot() + " s LEFT JOIN " + node + " n ON n.session_id = s.owner AND "
                + alive.replace("session_id", "n.session_id")
                + " ORDER BY kind, at_time, text1, n";
    }

    private static String row(int kind, String... values) {
        StringBuilder row = new StringBuilder("SELECT " + kind + " AS kind");
        for (int i = 0; i < COLUMNS.size(); i++) {
            row.append(", ")
                    .append(i < values.length ? values[i] : "NULL")
                    .append(" AS ")
                    .append(COLUMNS.get(i));
        }
        return row.toString();
    }

    private Optional<ClusterView> read(ResultSet rows) throws SQLException {
        if (!rows.next() || rows.getInt("kind") != HEARTBEAT) {
            return Optional.empty();
        }
        ClusterLayout terms = null;
        Integer wanted = null;
        long pausesVersion = 0;
        List<Member> members = new ArrayList<>();
        List<ClusterView.PartitionState> partitionStates = new ArrayList<>();
        Map<String, MemberState> states = new HashMap<>();
        while (rows.next()) {
            int n = rows.getInt("n");
            String text = rows.getString("text1");
            switch (rows.getInt("kind")) {
                case META -> {
                    terms = new StoredLayout(text, n, null).requireLayout("table " + tables.event());
                    wanted = rows.getObject("m", Integer.class);
                    pausesVersion = rows.getLong("big");
                }
                case MEMBER -> {
                    members.add(new Member(
                            text, rows.getString("text2"), n, rows.getString("text3"), rows.getString("text4")));
                    states.put(text, state(rows, text));
                }
                default -> partitionStates.add(new ClusterView.PartitionState(n, rows.getLong("big"), text));
            }
        }
        if (terms == null) {
            return Optional.empty();
        }
        int partitions = terms.strategy().usesPartitions() ? terms.partitions() : 0;
        List<ClusterView.PartitionState> mine = partitionStates.stream()
                .filter(state -> state.partition() < partitions)
                .sorted(Comparator.comparingInt(ClusterView.PartitionState::partition))
                .toList();
        return Optional.of(new ClusterView(members, mine, terms, wanted, pausesVersion, states));
    }

    // The statement that sends the heartbeat may not see what it writes.
    private MemberState state(ResultSet rows, String session) throws SQLException {
        if (session.equals(heartbeat.session())) {
            return new MemberState(Duration.ZERO, heartbeat.interval(), heartbeat.ready(), false);
        }
        return new MemberState(
                Duration.of(rows.getLong("silent"), ChronoUnit.MICROS),
                Duration.of(rows.getLong("every"), ChronoUnit.MICROS),
                rows.getInt("ready") != 0,
                rows.getInt("ended") != 0 && !ownSessions.contains(session));
    }
}
