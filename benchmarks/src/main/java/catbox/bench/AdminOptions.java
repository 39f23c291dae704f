package catbox.bench;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Configures the measurement of operators' reads.
 *
 * @param rows number of events, if the benchmark fills the table itself
 * @param url of a database that an earlier run has filled and left running; null fills one
 * @param stay fills, prints the url, and ends when its standard input does
 * @param parts the parts to measure
 */
record AdminOptions(int rows, @Nullable String url, boolean stay, Set<Part> parts) {

    /** The parts, in the order of measurement. */
    enum Part {
        /** Without the optional indexes, which are dropped if they exist. */
        WITHOUT,
        /** With them; they are created if they do not exist. */
        WITH,
        /** The same over HTTP, from a server in a separate process, with the existing indexes. */
        HTTP
    }

    static final int ROWS_DEFAULT = 100_000;
    private static final int ROWS_MIN = 10_000;

    static AdminOptions of(List<String> words) {
        int rows = ROWS_DEFAULT;
        @Nullable String url = null;
        boolean stay = false;
        Set<Part> parts = EnumSet.allOf(Part.class);
        for (int i = 0; i < words.size(); i++) {
            switch (words.get(i)) {
                case "--stay" -> stay = true;
                case "--rows" -> rows = number(value(words, ++i));
                case "--url" -> url = value(words, ++i);
                case "--part" -> parts = EnumSet.of(part(value(words, ++i)));
                default ->
                    throw new IllegalArgumentException("\"" + words.get(i)
                            + "\" is no option of bench admin; there are --rows N, --stay, --url URL and --part NAME");
            }
        }
        return new AdminOptions(rows, url, stay, parts);
    }

    private static String value(List<String> words, int index) {
        if (index >= words.size()) {
            throw new IllegalArgumentException(words.getLast() + " needs a value");
        }
        return words.get(index);
    }

    private static int number(String text) {
        int rows = Integer.parseInt(text.replace("_", ""));
        if (rows < ROWS_MIN) {
            throw new IllegalArgumentException("--rows must be at least " + ROWS_MIN + ", was " + rows);
        }
        return rows;
    }

    private static Part part(String word) {
        for (Part part : Part.values()) {
            if (part.name().toLowerCase(Locale.ROOT).equals(word)) {
                return part;
            }
        }
        throw new IllegalArgumentException("--part must be without, with or http, was \"" + word + "\"");
    }
}
