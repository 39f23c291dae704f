package outbox.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Makes what an event filled into an address fit to be the path of a URL, and nothing but a path below the base. */
final class PathText {

    private static final String ALLOWED = "-._~!$&'()*+,;=:@/?%";

    private PathText() {}

    /**
     * The address with a slash before it and everything encoded that has no place in a path or query.
     *
     * @throws IllegalArgumentException when it would climb out of where it belongs
     */
    static String encode(String address) {
        String path = address.startsWith("/") ? address : "/" + address;
        int query = path.indexOf('?');
        String segments = query < 0 ? path : path.substring(0, query);
        // Encoded dots mean the same to many servers.
        boolean climbs = Arrays.stream(segments.replaceAll("(?i)%2e", ".").split("[/\\\\]", -1))
                .anyMatch(segment -> segment.equals(".") || segment.equals(".."));
        if (climbs || path.startsWith("//")) {
            throw new IllegalArgumentException("the path \"" + printable(path) + "\" must not begin with //"
                    + " and must have no segment . or ..");
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
