package outbox.jdbc.internal.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import outbox.jdbc.internal.dialect.Dialect;

/** A statement that is put together from parts, each with its parameters, which are bound in the order of the text. */
public final class SqlText {

    @FunctionalInterface
    private interface Parameter {
        void bind(PreparedStatement statement, int index) throws SQLException;
    }

    private final Dialect dialect;
    private final StringBuilder text = new StringBuilder();
    private final List<Parameter> parameters = new ArrayList<>();

    public SqlText(Dialect dialect) {
        this.dialect = dialect;
    }

    public SqlText add(String part) {
        text.append(part);
        return this;
    }

    /** A part with one parameter. */
    public SqlText add(String part, String value) {
        parameters.add((statement, index) -> statement.setString(index, value));
        return add(part);
    }

    public SqlText add(String part, int value) {
        parameters.add((statement, index) -> statement.setInt(index, value));
        return add(part);
    }

    public SqlText add(String part, long value) {
        parameters.add((statement, index) -> statement.setLong(index, value));
        return add(part);
    }

    public SqlText add(String part, Instant value) {
        parameters.add((statement, index) -> dialect.bindInstant(statement, index, value));
        return add(part);
    }

    public void bind(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            parameters.get(i).bind(statement, i + 1);
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
