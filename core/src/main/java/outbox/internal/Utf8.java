package outbox.internal;

/** Measures and checks the UTF-8 form of a string without creating it. */
public final class Utf8 {

    private Utf8() {}

    /** The number of bytes of a well-formed string. */
    public static long length(String text) {
        long bytes = text.length();
        if (isAscii(text)) {
            return bytes;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                // A surrogate pair is two chars and four bytes, so each half adds one.
                bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return bytes;
    }

    // No branch per character: most texts are ASCII, and every payload is checked.
    private static boolean isAscii(String text) {
        int all = 0;
        for (int i = 0; i < text.length(); i++) {
            all |= text.charAt(i);
        }
        return all < 0x80;
    }

    /** The index of a surrogate without its other half, or -1. No encoding preserves such a string. */
    public static int firstUnpairedSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return i;
            }
        }
        return -1;
    }
}
