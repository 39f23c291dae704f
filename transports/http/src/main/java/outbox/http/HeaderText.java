package outbox.http;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/**
 * Encodes names and values of an event's headers for HTTP. Characters that HTTP cannot carry are percent-encoded as
 * UTF-8, and so is the percent sign, so that a receiver can decode every value. A line break can therefore never end a
 * header.
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

    /** Returns whether the text is a valid header name without encoding. */
    static boolean isName(String name) {
        return !name.isEmpty() && name.chars().allMatch(c -> isTokenCharacter((char) c));
    }

    /** Returns whether the text is a valid value without encoding. */
    static boolean isPlain(String value) {
        return value.chars().allMatch(c -> c >= ' ' && c <= '~');
    }

    /** Encodes a name: all characters that a token does not allow. */
    static String name(String name) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xFF);
            append(encoded, each, isTokenCharacter(c) && c != '%');
        }
        return encoded.toString();
    }

    /** Encodes a value. Printable ASCII except the percent sign stays, and so do inner spaces. */
    static String value(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        StringBuilder encoded = new StringBuilder();
        for (int n = 0; n < bytes.length; n++) {
            boolean atEdge = n == 0 || n == bytes.length - 1;
            append(encoded, bytes[n], isVisible(bytes[n]) || (bytes[n] == ' ' && !atEdge));
        }
        return encoded.toString();
    }

    /** Encodes the value of a CloudEvents attribute, by that specification's HTTP binding. */
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
