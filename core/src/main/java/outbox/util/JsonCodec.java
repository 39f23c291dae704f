package outbox.util;

import java.util.LinkedHashMap;
import java.util.Map;

/** The little JSON that the outbox itself needs: headers as an object of strings, and "is this JSON at all". */
public final class JsonCodec {

    private JsonCodec() {}

    /** A flat object of strings, in the map's order. Anything outside printable ASCII that could be lost is escaped. */
    public static String encode(Map<String, String> map) {
        StringBuilder json = new StringBuilder(16 + 32 * map.size()).append('{');
        map.forEach((key, value) -> {
            if (json.length() > 1) {
                json.append(',');
            }
            quote(json, key);
            json.append(':');
            quote(json, value);
        });
        return json.append('}').toString();
    }

    /**
     * The map behind a flat object of strings, in the text's order.
     *
     * @throws IllegalArgumentException when the text is anything else
     */
    public static Map<String, String> decode(String json) {
        return new JsonReader(json).stringMap(new LinkedHashMap<>());
    }

    /**
     * Checks that the text is one JSON value by RFC 8259, and says whether it is all ASCII, which is known by then.
     *
     * @throws IllegalArgumentException that says what was met where
     */
    public static boolean validate(String json) {
        JsonReader reader = new JsonReader(json);
        reader.document();
        return reader.isAscii();
    }

    private static void quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c == 0x7F || Character.isSurrogate(c)) {
                // Escaped surrogates survive even when they have no other half.
                json.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    json.append(Character.forDigit(c >> shift & 0xF, 16));
                }
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
