package outbox.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/** The placeholders of a list in a statement, and their values. */
final class InList {

    private InList() {}

    static String of(int size) {
        return "(" + repeated("?", size, ", ") + ")";
    }

    static String repeated(String part, int times, String separator) {
        return String.join(separator, Collections.nCopies(times, part));
    }

    /** Binds the values from the given index on, and returns the index behind the last. */
    static int bind(PreparedStatement statement, int from, List<String> values) throws SQLException {
        int at = from;
        for (String value : values) {
            statement.setString(at++, value);
        }
        return at;
    }
}
