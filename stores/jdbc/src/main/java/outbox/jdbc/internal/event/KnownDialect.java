package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.SingleStatement;
import outbox.spi.ConnectionProvider;

/** What the database decides: its dialect, and the statements in it. The first connection tells. */
public final class KnownDialect {

    private final TableNames tables;
    /** Written by the thread that comes first; the same for all, so a second write changes nothing. */
    private volatile @Nullable Bound bound;

    /** A dialect with the statements on the event table. */
    public record Bound(Dialect dialect, EventSql sql) {}

    public KnownDialect(TableNames tables) {
        this.tables = tables;
    }

    public TableNames tables() {
        return tables;
    }

    public Bound of(Connection conn) {
        Bound known = bound;
        if (known == null) {
            Dialect dialect = Dialect.of(conn);
            known = new Bound(dialect, new EventSql(dialect, tables));
            bound = known;
        }
        return known;
    }

    /** The same, on a connection of the provider's if none has told yet. */
    Bound of(ConnectionProvider connections, Duration answerMax) {
        Bound known = bound;
        return known == null ? SingleStatement.run(connections, answerMax, this::of) : known;
    }
}
