package outbox.admin;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Groups errors that differ only in a number, an id or a name: a pattern with {@code *} for those. It matches the error
 * that it was made of, so it can be given as a filter.
 */
final class ErrorShape {

    private static final int CHARS_MAX = 300;

    // In this order: a quoted value may hold an id, and an id may begin with a number.
    private static final List<Replacement> REPLACEMENTS = List.of(
            replace("\"[^\"]{0,200}\"", "\"*\""),
            replace("(?<![\\p{L}\\d])'[^']{0,200}'(?![\\p{L}\\d])", "'*'"),
            replace("`[^`]{0,200}`", "`*`"),
            // A UUID.
            replace("(?i)\\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\\b", "*"),
            // A ULID, and other long words that have digits in them.
            replace("\\b(?=[\\p{L}_-]*\\d)[\\p{L}\\d_-]{16,}\\b", "*"),
            // The address of an object, a hash, a colour.
            replace("(?i)\\b0x[0-9a-f]+\\b", "*"),
            replace("(?i)@[0-9a-f]{4,}\\b", "@*"),
            replace("(?i)\\b(?=[a-f]*\\d)[0-9a-f]{8,}\\b", "*"),
            // A number with what is usually inside one: of addresses, times and amounts.
            replace("\\d+(?:[.:,]\\d+)*", "*"),
            replace("\\*+", "*"));

    private ErrorShape() {}

    private record Replacement(Pattern what, String by) {}

    private static Replacement replace(String what, String by) {
        return new Replacement(Pattern.compile(what), by);
    }

    /**
     * The error, cut to the length that matters, with 7 for every digit but 0, which a hexadecimal number may begin with.
     * Errors that are equal then have the same shape, so a caller with many errors computes few shapes.
     */
    static String alike(@Nullable String error) {
        String text = error == null ? "" : Phrases.cut(error, CHARS_MAX + 2); // One more shows that it is too long.
        StringBuilder alike = new StringBuilder(text);
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= '1' && text.charAt(i) <= '9') {
                alike.setCharAt(i, '7');
            }
        }
        return alike.toString();
    }

    static String of(@Nullable String error) {
        if (error == null) {
            return "";
        }
        // Longer ones differ in their tails, such as stacks, and need not be read to the end.
        boolean isLong = error.length() > CHARS_MAX;
        String shape = isLong ? Phrases.cut(error, CHARS_MAX) + "*" : error;
        for (Replacement each : REPLACEMENTS) {
            shape = each.what().matcher(shape).replaceAll(each.by());
        }
        return shape;
    }
}
