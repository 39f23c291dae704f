package outbox.jdbc.internal.sql;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** The placeholders of a list in a statement. */
public final class InList {

    private InList() {}

    public static String of(int size) {
        return "(" + repeated("?", size, ", ") + ")";
    }

    public static String repeated(String part, int times, String separator) {
        return String.join(separator, Collections.nCopies(times, part));
    }

    /** The values in lists of at most this size. */
    public static <T> List<List<T>> chunks(List<T> values, int size) {
        return IntStream.iterate(0, from -> from < values.size(), from -> from + size)
                .mapToObj(from -> values.subList(from, Math.min(values.size(), from + size)))
                .toList();
    }
}
