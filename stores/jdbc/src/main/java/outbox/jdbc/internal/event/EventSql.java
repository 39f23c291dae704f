package outbox.jdbc.internal.event;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.ClaimRequest;

/** The statements on the event table, put together once per dialect and table. */
public final class EventSql {

    public static final String COLUMNS =
            "event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, ordering_key, payload,"
                    + " payload_bytes, headers, status, attempts, max_attempts, occurred_at, available_at, created_at,"
                    + " last_attempt_at, done_at, last_error, replays, deaths";

    /** The deaths of e with the one that its expired claim is evidence of. Only for events that are free. */
    private static final String DEATHS = "(COALESCE(e.deaths, 0) + CASE WHEN e.claim_token IS NULL THEN 0 ELSE 1 END)";

    /** The columns of e as they are once it is claimed. */
    static final String CLAIMED = COLUMNS.replace("deaths", DEATHS + " AS deaths");

    /** What a claim writes about deaths. It comes first, since some databases see what was assigned before. */
    public static final String COUNT_DEATH =
            "deaths = CASE WHEN claim_token IS NULL THEN deaths ELSE COALESCE(deaths, 0) + 1 END, ";

    /** What ends a claim. */
    public static final String UNCLAIM = "claim_token = NULL, claimed_until = NULL";

    /** The end of a claim that was answered, which shows that its holder has survived the event. */
    static final String ANSWERED = "deaths = NULL, " + UNCLAIM;

    /** The columns of e, of t, and a null for each of them. */
    public static final String OF_E = each("e.$1");

    public static final String OF_T = each("t.$1");
    public static final String NONE = each("NULL AS $1");

    /** The columns of e as a list of events needs them: without what events carry, and with the hash of the key. */
    public static final String SUMMARY =
            OF_E.replaceAll("e\\.(payload|payload_bytes|headers)\\b", "NULL AS $1") + ", e.key_hash";

    private static String each(String as) {
        return COLUMNS.replaceAll("(\\w+)", as);
    }

    /** The size of the payload of e in bytes. */
    public static final String SIZE = "COALESCE(OCTET_LENGTH(e.payload), OCTET_LENGTH(e.payload_bytes), 0)";

    static final int INSERT_PARAMETERS = 15;

    public final String table;
    /** How many due events a choice of suspects reads: without this bound, it would read all to find none. */
    private static final int WINDOW = 500;

    /** The longest due events that no claim holds, among which suspects are. */
    public final String window;

    private final String dueTable;

    /** One event as most are: JSON, due at once, with no limit of its own. Ten parameters, and two of a claim. */
    final String insertCommon;

    final String insertCommonClaimed;
    private final String insertInto;
    private final String insertRow;
    public final String pollPending;
    private final String due;
    private final String notRecent;

    public EventSql(Dialect dialect, TableNames tables) {
        this.table = tables.event();
        this.dueTable = dialect.indexed(tables, "e", "due");
        String now = dialect.now();
        this.insertInto = "INSERT INTO " + table
                + " (event_id, event_type, aggregate_type, aggregate_id, tenant_id, ordering_key, key_hash, payload,"
                + " payload_bytes, headers, status, attempts, max_attempts, occurred_at, available_at, created_at,"
                + " claim_token, claimed_until) VALUES ";
        this.insertRow = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, COALESCE(?, " + now + "), " + now + ", ?, "
                + dialect.nowPlus("?") + ")";
        String common = "INSERT INTO " + table
                + " (event_id, event_type, aggregate_type, aggregate_id, tenant_id, ordering_key, key_hash, payload,"
                + " headers, occurred_at, status, available_at, created_at";
        String values = ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, " + now + ", " + now;
        this.insertCommon = common + values + ")";
        this.insertCommonClaimed =
                common + ", claim_token, claimed_until" + values + ", ?, " + dialect.nowPlus("?") + ")";
        this.pollPending = "SELECT " + COLUMNS + " FROM " + table + " e WHERE " + dialect.pending("e")
                + " AND available_at <= ? AND created_at <= ? ORDER BY created_at, seq LIMIT ?";
        this.due = dueAndFree(dialect, "e");
        this.notRecent = " AND (e.last_attempt_at IS NOT NULL OR e.available_at <> e.created_at OR e.created_at <= "
                + dialect.nowPlus("?") + ")";
        this.window = "SELECT w.event_id FROM " + dialect.indexed(tables, "w", "due") + " WHERE "
                + dueAndFree(dialect, "w") + " ORDER BY w.available_at, w.seq LIMIT " + WINDOW;
    }

    /** One statement for several rows, each with {@link #INSERT_PARAMETERS}. */
    String insert(int rows) {
        return insertInto + Sql.repeated(insertRow, rows, ", ");
    }

    /** The tables of a choice, with the event under the alias e. */
    String choiceFrom(ClaimRequest request) {
        return request.suspects()
                ? "(" + window + ") chosen JOIN " + table + " e ON e.event_id = chosen.event_id"
                : dueTable;
    }

    /** The condition on the alias e; {@link #bindDue} sets its parameters. */
    public String due(ClaimRequest request) {
        return (skipsRecent(request) ? due + notRecent : due) + suspicion(request.suspects());
    }

    /** Sets the parameters of {@link #due}, which come first, and returns the index behind them. */
    public static int bindDue(PreparedStatement statement, ClaimRequest request) throws SQLException {
        if (!skipsRecent(request)) {
            return 1;
        }
        statement.setLong(1, -Sql.micros(request.skipRecent()));
        return 2;
    }

    // When nothing is skipped, the time of creation does not matter: another program may have set it, or left it out.
    private static boolean skipsRecent(ClaimRequest request) {
        return !request.skipRecent().isZero();
    }

    /** The condition that e, which is free, is a suspect, or is none. */
    public static String suspicion(boolean suspect) {
        return " AND " + DEATHS + (suspect ? " >= " : " < ") + ClaimRequest.SUSPECT_FROM;
    }

    private static String dueAndFree(Dialect dialect, String alias) {
        return dialect.pending(alias) + " AND " + alias + ".available_at <= " + dialect.now() + " AND (" + alias
                + ".claimed_until IS NULL OR " + alias + ".claimed_until <= " + dialect.now() + ")";
    }

    // A delayed event that is not due yet has not joined the order; one that waits for its retry has. One that was
    // not delayed is in order even if it seems to be ahead, because the database's clock was set back.
    public static String inOrder(Dialect dialect, String alias) {
        return "(" + alias + ".status = 2 OR " + alias + ".available_at <= " + dialect.now() + " OR " + alias
                + ".available_at = " + alias + ".created_at)";
    }
}
