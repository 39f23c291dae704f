package outbox.jdbc.internal.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** The placeholders of a list in a statement, and their values. */
public final class InList {

    private InList() {}

    public static String of(int size) {
        return "(" + repeated("?", size, ", ") + ")";
    }

    public static String repeated(String part, int times, String separator) {
        return String.join(separator, Collections.nCopies(times, part));
    }

    /** The values in lists of at most so many. */
    public static List<List<String>> chunks(List<String> values, int size) {
        return IntStream.iterate(0, from -> from < values.size(), from -> from + size)
                .mapToObj(from -> values.subList(from, Math.min(values.size(), from + size)))
                .toList();
    }

    /** Binds the values from the given index on, and returns the index behind the last. */
    public static int bind(PreparedStatement statement, int from, List<String> values) throws SQLException {
        int at = from;
        for (String value : values) {
            statement.setString(at++, value);
        }
        return at;
    }
}
