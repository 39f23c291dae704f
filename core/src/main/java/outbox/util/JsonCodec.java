package outbox.util;

import java.util.LinkedHashMap;
import java.util.Map;

/** Encodes and decodes headers as an object of strings, and checks whether a text is JSON. */
public final class JsonCodec {

    private JsonCodec() {}

    /** Encodes a flat object of strings, in the map's order. Escapes characters that could be lost. */
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
     * Decodes a flat object of strings, in the text's order.
     *
     * @throws IllegalArgumentException when the text is anything else
     */
    public static Map<String, String> decode(String json) {
        return new JsonReader(json).stringMap(new LinkedHashMap<>());
    }

    /**
     * Checks that the text is one JSON value by RFC 8259, and returns whether it is all ASCII.
     *
     * @throws IllegalArgumentException that names the fault and its position
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
