package outbox.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Encodes an address for the path of a URL, and ensures that it stays below the base URL. */
final class PathText {

    private static final String ALLOWED = "-._~!$&'()*+,;=:@/?%";

    private PathText() {}

    /**
     * Returns the address with a leading slash and encoded characters.
     *
     * @throws IllegalArgumentException when it would leave the base path
     */
    static String encode(String address) {
        String path = address.startsWith("/") ? address : "/" + address;
        int query = path.indexOf('?');
        String segments = query < 0 ? path : path.substring(0, query);
        // Many servers treat encoded dots as dots.
        boolean climbs = Arrays.stream(segments.replaceAll("(?i)%2e", ".").split("[/\\\\]", -1))
                .anyMatch(segment -> segment.equals(".") || segment.equals(".."));
        if (climbs || path.startsWith("//")) {
            throw new IllegalArgumentException("the path \"" + printable(path) + "\" must not begin with //"
                    + " and must not have a segment . or ..");
        }
        StringBuilder encoded = new StringBuilder();
        for (byte each : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xFF);
            if (isLetterOrDigit(c) || ALLOWED.indexOf(c) >= 0) {
                encoded.append(c);
            } else {
                encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
            }
        }
        return encoded.toString().replaceAll("%(?![0-9A-Fa-f]{2})", "%25");
    }

    private static boolean isLetterOrDigit(char c) {
        return c < 128 && Character.isLetterOrDigit(c);
    }

    private static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7E]", "?");
    }
}
