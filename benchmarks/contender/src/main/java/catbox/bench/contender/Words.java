package catbox.bench.contender;

import java.util.LinkedHashMap;
import java.util.Map;

/** Parses arguments such as {@code keys=10}. */
final class Words {

    private Words() {}

    static Map<String, String> of(String... words) {
        Map<String, String> map = new LinkedHashMap<>();
        for (String word : words) {
            int sign = word.indexOf('=');
            if (sign < 1) {
                throw new IllegalArgumentException("expected name=value but got \"" + word + "\"");
            }
            map.put(word.substring(0, sign), word.substring(sign + 1));
        }
        return map;
    }

    static String required(Map<String, String> words, String name) {
        String value = words.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + "=... is missing; given are " + words.keySet());
        }
        return value;
    }
}
