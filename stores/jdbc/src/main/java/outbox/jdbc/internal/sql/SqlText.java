package outbox.jdbc.internal.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.dialect.Dialect;

/** A statement that is put together from parts, each with its parameter, which are bound in the order of the text. */
public final class SqlText {

    private final Dialect dialect;
    private final StringBuilder text = new StringBuilder();
    private final List<Object> parameters = new ArrayList<>();

    public SqlText(Dialect dialect) {
        this.dialect = dialect;
    }

    public SqlText add(String part) {
        text.append(part);
        return this;
    }

    /** A part with one parameter. */
    public SqlText add(String part, Object value) {
        parameters.add(value instanceof Instant instant ? dialect.parameter(instant) : value);
        return add(part);
    }

    /** The same, unless there is no value. */
    public SqlText addIfPresent(String part, @Nullable Object value) {
        return value == null ? this : add(part, value);
    }

    public void bind(PreparedStatement statement) throws SQLException {
        Sql.bind(statement, 1, parameters);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
