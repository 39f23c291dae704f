package outbox.relay.route;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A pattern in which {@code *} stands for anything and {@code ?} for one character. Case matters. */
final class Glob {

    static final Glob ANYTHING = new Glob("*");

    private final String pattern;
    private final @Nullable String prefix; // Most patterns are a text, or a text and a star.
    private final @Nullable Pattern regex;

    Glob(String pattern) {
        if (pattern.isEmpty()) {
            throw new IllegalArgumentException("a pattern must not be empty; * is anything");
        }
        this.pattern = pattern;
        int star = pattern.indexOf('*');
        boolean simple = pattern.indexOf('?') < 0 && (star < 0 || star == pattern.length() - 1);
        this.prefix = simple && star >= 0 ? pattern.substring(0, star) : null;
        this.regex = simple ? null : Pattern.compile(regexOf(pattern), Pattern.DOTALL);
    }

    private static String regexOf(String pattern) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return regex.toString();
    }

    boolean isAnything() {
        return pattern.equals("*");
    }

    /** Whether the text matches; null matches {@code *} only. */
    boolean matches(@Nullable String text) {
        if (text == null) {
            return isAnything();
        }
        if (regex != null) {
            return regex.matcher(text).matches();
        }
        return prefix != null ? text.startsWith(prefix) : text.equals(pattern);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Glob that && pattern.equals(that.pattern);
    }

    @Override
    public int hashCode() {
        return pattern.hashCode();
    }

    @Override
    public String toString() {
        return pattern;
    }
}
