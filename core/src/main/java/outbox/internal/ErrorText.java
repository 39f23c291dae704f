package outbox.internal;

/** Makes the text of an error storable: no longer than its column, and without characters that a database refuses. */
public final class ErrorText {

    public static final int CHARS_MAX = 4000;

    private ErrorText() {}

    /** The class and message of a failure and of its root cause. */
    public static String of(Throwable failure) {
        return fit(
                failure.getCause() == null
                        ? describe(failure)
                        : describe(failure) + "; caused by " + describe(Causes.root(failure)));
    }

    // A foreign exception may fail to describe itself, and that must not hide it.
    private static String describe(Throwable failure) {
        try {
            return String.valueOf(failure.toString());
        } catch (RuntimeException e) {
            return failure.getClass().getName();
        }
    }

    /** What {@link #fit} gives, with a question mark for every character outside ASCII. */
    public static String plain(String text) {
        return fit(text).replaceAll("[^\\x20-\\x7E\\n\\t]", "?");
    }

    /** At most 4,000 characters, without U+0000 and without broken surrogate pairs. */
    public static String fit(String text) {
        // Cut first, and not in the middle of a pair: the rest needs no check.
        int end = Math.min(text.length(), CHARS_MAX);
        if (end < text.length() && Character.isSurrogatePair(text.charAt(end - 1), text.charAt(end))) {
            end--;
        }
        StringBuilder clean = new StringBuilder(text.substring(0, end));
        for (int i = 0; i < clean.length(); i++) {
            char c = clean.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < clean.length()
                    && Character.isLowSurrogate(clean.charAt(i + 1));
            if (pair) {
                i++;
            } else if (c == 0 || Character.isSurrogate(c)) {
                clean.setCharAt(i, '\uFFFD');
            }
        }
        return clean.toString();
    }
}
