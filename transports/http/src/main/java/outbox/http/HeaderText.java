package outbox.http;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/**
 * Makes names and values of an event's headers fit for HTTP. What HTTP cannot carry is percent-encoded, as UTF-8; the
 * percent sign too, so that a receiver can decode every value. A line break can therefore never end a header.
 */
final class HeaderText {

    private static final String TOKEN_MARKS = "!#$&'*+-.^_`|~";

    /** Names that belong to the connection, the body, the sender's identity or the signature. */
    private static final Set<String> RESERVED = Set.of(
            "connection",
            "content-encoding",
            "content-length",
            "content-type",
            "cookie",
            "date",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "via",
            "webhook-id",
            "webhook-signature",
            "webhook-timestamp");

    private HeaderText() {}

    static boolean isReserved(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return RESERVED.contains(lower) || lower.startsWith("proxy-");
    }

    /** Whether it is a header's name as it is. */
    static boolean isName(String name) {
        return !name.isEmpty() && name.chars().allMatch(c -> isTokenCharacter((char) c));
    }

    /** Whether it can be a value as it is. */
    static boolean isPlain(String value) {
        return value.chars().allMatch(c -> c >= ' ' && c <= '~');
    }

    /** A name: the characters that are none of a token's are encoded. */
    static String name(String name) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xFF);
            append(encoded, each, isTokenCharacter(c) && c != '%');
        }
        return encoded.toString();
    }

    /** A value: printable ASCII but the percent sign stays, and so do spaces inside it. */
    static String value(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        StringBuilder encoded = new StringBuilder();
        for (int n = 0; n < bytes.length; n++) {
            boolean atEdge = n == 0 || n == bytes.length - 1;
            append(encoded, bytes[n], isVisible(bytes[n]) || (bytes[n] == ' ' && !atEdge));
        }
        return encoded.toString();
    }

    /** The value of a CloudEvents attribute, by that specification's HTTP binding: spaces and quotes are encoded. */
    static String attribute(String value) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : value.getBytes(StandardCharsets.UTF_8)) {
            append(encoded, each, isVisible(each) && each != '"');
        }
        return encoded.toString();
    }

    private static void append(StringBuilder text, byte each, boolean asItIs) {
        if (asItIs) {
            text.append((char) each);
        } else {
            text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
        }
    }

    private static boolean isVisible(byte each) {
        return each > ' ' && each <= '~' && each != '%';
    }

    private static boolean isTokenCharacter(char c) {
        return c < 128 && (Character.isLetterOrDigit(c) || c == '%' || TOKEN_MARKS.indexOf(c) >= 0);
    }
}
