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

/** The beat of a session, and the cluster as it then is: one statement on PostgreSQL, elsewhere two. */
public record ClusterRead(Dialect dialect, TableNames tables, Beat beat) {

    /**
     * A heartbeat, and what is known of the connection that carries it.
     *
     * @param lockServer the server on which the session's lock is had; null when it is not
     * @param ownSessions those whose locks are on this connection, which therefore takes them for free
     */
    public record Beat(
            Heartbeat heartbeat, @Nullable String lockServer, Set<String> ownSessions, Duration statementMax) {
        String session() {
            return heartbeat.session();
        }
    }

    private static final int BEAT = 0;
    private static final int META = 1;
    private static final int MEMBER = 2;
    private static final int SLOT = 3;
    private static final String[] NO_STATE = {"0", "0", "0", "0"};

    private static final String[] COLUMNS = {"n", "m", "big", "text1", "text2", "text3", "text4", "at_time"};
    private static final String[] STATE_COLUMNS = {"silent", "every", "ready", "ended"};

    /** After which the server is to give a statement up. */
    public Duration statementMax() {
        return beat.statementMax();
    }

    /**
     * Both at once. The beat's result is not seen by the rest of the statement, which therefore takes the session for alive.
     *
     * @param preface a limit, as part of the same message
     */
    public Optional<ClusterView> inOneStatement(Connection conn, String preface) {
        return Sql.query(
                preface,
                conn,
                "beat",
                "WITH beat AS (" + new NodeRows(dialect, tables).beatSql() + " RETURNING 1) " + view("FROM beat"),
                statement -> {
                    bindSession(statement, NodeRows.bindBeat(statement, beat.heartbeat(), beat.lockServer()));
                },
                this::read);
    }

    /**
     * One after the other.
     *
     * @param limit sets how long a statement may take
     */
    public Optional<ClusterView> inTwoStatements(Connection conn, Sql.Binding limit) {
        int beaten = Sql.update(conn, "beat", new NodeRows(dialect, tables).beatSql(), statement -> {
            limit.bind(statement);
            NodeRows.bindBeat(statement, beat.heartbeat(), beat.lockServer());
        });
        return beaten == 0
                ? Optional.empty()
                : Sql.query(
                        conn,
                        "read the cluster",
                        view(""),
                        statement -> {
                            limit.bind(statement);
                            bindSession(statement, 1);
                        },
                        this::read);
    }

    // Members that live, and the one that beats, twice: as members and as owners.
    private void bindSession(PreparedStatement statement, int index) throws SQLException {
        statement.setString(index, beat.session());
        statement.setString(index + 1, beat.session());
    }

    // Ordered by kind, then as each kind is to be: members by their time, slots by their number. In the text,
    // members and the meta row come first: they have every column, from which a null of the others takes its type.
    private String view(String fromBeat) {
        String alive = "(expires_at > " + dialect.now() + " OR session_id = ?)";
        String node = tables.node();
        return row(MEMBER, state(), "weight", "NULL", "0", "session_id", "node_id", "version", "address", "joined_at")
                + " FROM " + node + " WHERE " + alive + " UNION ALL "
                + row(META, NO_STATE, "partitions", "partitions_wanted", "holds_version", "claim_strategy")
                + " FROM " + tables.meta() + " WHERE id = 1 UNION ALL "
                + row(BEAT, NO_STATE, "0", "NULL", "0", "NULL") + " " + fromBeat + " UNION ALL "
                + row(SLOT, NO_STATE, "s.slot", "NULL", "s.epoch", "n.session_id") + " FROM "
                + tables.slot() + " s LEFT JOIN " + node + " n ON n.session_id = s.owner AND "
                + alive.replace("session_id", "n.session_id")
                + " ORDER BY kind, at_time, text1, n";
    }

    /** How a member is: the columns behind the common ones. Who has no lock does not ask for those of others. */
    private String[] state() {
        return new String[] {
            dialect.microsSince("heartbeat_at"),
            "COALESCE(beat_micros, 0)",
            "ready",
            beat.lockServer() == null ? "0" : new NodeRows(dialect, tables).connectionEnded()
        };
    }

    private static String row(int kind, String[] state, String... values) {
        StringBuilder row = new StringBuilder("SELECT " + kind + " AS kind");
        for (int i = 0; i < COLUMNS.length; i++) {
            row.append(", ")
                    .append(i < values.length ? values[i] : "NULL")
                    .append(" AS ")
                    .append(COLUMNS[i]);
        }
        for (int i = 0; i < state.length; i++) {
            row.append(", ").append(state[i]).append(" AS ").append(STATE_COLUMNS[i]);
        }
        return row.toString();
    }

    private Optional<ClusterView> read(ResultSet rows) throws SQLException {
        if (!rows.next() || rows.getInt("kind") != BEAT) {
            return Optional.empty();
        }
        ClusterLayout terms = null;
        Integer wanted = null;
        long holdsVersion = 0;
        List<Member> members = new ArrayList<>();
        List<ClusterView.PartitionState> slots = new ArrayList<>();
        Map<String, MemberState> states = new HashMap<>();
        while (rows.next()) {
            int n = rows.getInt("n");
            String text = rows.getString("text1");
            switch (rows.getInt("kind")) {
                case META -> {
                    terms = new StoredLayout(text, n, null).requireLayout("table " + tables.event());
                    int m = rows.getInt("m");
                    wanted = rows.wasNull() ? null : Integer.valueOf(m);
                    holdsVersion = rows.getLong("big");
                }
                case MEMBER -> {
                    members.add(new Member(
                            text, rows.getString("text2"), n, rows.getString("text3"), rows.getString("text4")));
                    states.put(text, state(rows, text));
                }
                default -> slots.add(new ClusterView.PartitionState(n, rows.getLong("big"), text));
            }
        }
        if (terms == null) {
            return Optional.empty();
        }
        int partitions = terms.strategy().usesPartitions() ? terms.partitions() : 0;
        List<ClusterView.PartitionState> mine = slots.stream()
                .filter(slot -> slot.partition() < partitions)
                .sorted(Comparator.comparingInt(ClusterView.PartitionState::partition))
                .toList();
        return Optional.of(new ClusterView(members, mine, terms, wanted, holdsVersion, states));
    }

    // The statement that beats may not see what it writes.
    private MemberState state(ResultSet rows, String session) throws SQLException {
        if (session.equals(beat.session())) {
            return new MemberState(
                    Duration.ZERO, beat.heartbeat().interval(), beat.heartbeat().ready(), false);
        }
        return new MemberState(
                Duration.of(rows.getLong("silent"), ChronoUnit.MICROS),
                Duration.of(rows.getLong("every"), ChronoUnit.MICROS),
                rows.getInt("ready") != 0,
                rows.getInt("ended") != 0 && !beat.ownSessions().contains(session));
    }
}
