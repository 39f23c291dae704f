package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.AnswerTimes;
import outbox.jdbc.internal.sql.SingleStatement;
import outbox.spi.ConnectionProvider;

/** The event table as the stores that claim and settle share it: in which database it is, and how long an answer may take. */
public final class EventTable {

    private final TableNames names;
    /** Written by the thread that comes first; the same for all, so a second write changes nothing. */
    private volatile @Nullable Bound bound;
    /** How long a settlement or a release may take. Threads that claim write it, those that settle read it. */
    private volatile Duration answerMax;

    /** What the database decides: its dialect, and the statements in it. */
    public record Bound(Dialect dialect, EventSql sql) {}

    public EventTable(TableNames names) {
        this(names, AnswerTimes.MOST);
    }

    /** @param answerMax how long the database may take to answer before its connection counts as lost */
    public EventTable(TableNames names, Duration answerMax) {
        this.names = names;
        this.answerMax = answerMax;
    }

    public TableNames names() {
        return names;
    }

    public Bound in(Connection conn) {
        Bound known = bound;
        if (known == null) {
            Dialect dialect = Dialect.of(conn);
            known = new Bound(dialect, new EventSql(dialect, names));
            bound = known;
        }
        return known;
    }

    /** The same, on a connection of the provider if it is not known yet. */
    Bound in(ConnectionProvider connections) {
        Bound known = bound;
        return known == null ? SingleStatement.run(connections, answerMax, this::in) : known;
    }

    Duration answerMax() {
        return answerMax;
    }

    /** Shortens {@link #answerMax} to what a claim with this lease allows: the claim has to be settled in less. */
    void claimedFor(Duration lease) {
        Duration allowed = AnswerTimes.ofLease(lease);
        if (allowed.compareTo(answerMax) < 0) {
            answerMax = allowed;
        }
    }
}
