package catbox.bench.contender;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes a flat JSON object on one line: strings, numbers, and arrays of numbers, which is everything that
 * the benchmark uses.
 */
public final class JsonLine {

    private final String text;
    private int at;

    private JsonLine(String text) {
        this.text = text;
    }

    public static String write(Map<String, ?> values) {
        StringBuilder json = new StringBuilder("{");
        values.forEach((name, value) -> {
            if (json.length() > 1) {
                json.append(',');
            }
            quote(json, name);
            json.append(':');
            value(json, value);
        });
        return json.append('}').toString();
    }

    private static void value(StringBuilder json, Object value) {
        if (value instanceof Long || value instanceof Integer) {
            json.append(value);
        } else if (value instanceof Double number) {
            // JSON has no notation for these two, and both mean that nothing was measured.
            json.append(number.isNaN() || number.isInfinite() ? "-1" : number.toString());
        } else if (value instanceof long[] numbers) {
            json.append('[');
            for (int i = 0; i < numbers.length; i++) {
                json.append(i == 0 ? "" : ",").append(numbers[i]);
            }
            json.append(']');
        } else {
            quote(json, value.toString());
        }
    }

    private static void quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(' '); // Messages of exceptions contain line ends, which are not needed here.
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }

    /**
     * Returns Strings, Longs, Doubles and {@code long[]} by name.
     *
     * @throws IllegalArgumentException if it is not such a line
     */
    public static Map<String, Object> read(String line) {
        return new JsonLine(line.strip()).object();
    }

    private Map<String, Object> object() {
        Map<String, Object> values = new LinkedHashMap<>();
        expect('{');
        while (peek() != '}') {
            String name = string();
            expect(':');
            values.put(name, peek() == '"' ? string() : peek() == '[' ? numbers() : number());
            if (peek() != '}') {
                expect(',');
            }
        }
        expect('}');
        if (at < text.length()) {
            throw bad("the end");
        }
        return values;
    }

    private String string() {
        expect('"');
        StringBuilder found = new StringBuilder();
        while (peek() != '"') {
            if (peek() == '\\') {
                at++;
            }
            found.append(peek());
            at++;
        }
        at++;
        return found.toString();
    }

    private long[] numbers() {
        List<Object> found = new ArrayList<>();
        expect('[');
        while (peek() != ']') {
            found.add(number());
            if (peek() != ']') {
                expect(',');
            }
        }
        at++;
        return found.stream().mapToLong(number -> ((Number) number).longValue()).toArray();
    }

    private Object number() {
        int begin = at;
        while ("+-.0123456789Ee".indexOf(peek()) >= 0) {
            at++;
        }
        String number = text.substring(begin, at);
        try {
            if (number.chars().allMatch(c -> c == '-' || Character.isDigit(c))) {
                return Long.valueOf(number);
            }
            return Double.valueOf(number);
        } catch (NumberFormatException e) {
            throw bad("a number");
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw bad("more");
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw bad("'" + c + "'");
        }
        at++;
    }

    private IllegalArgumentException bad(String expected) {
        return new IllegalArgumentException(
                "expected " + expected + " at " + at + " of: " + text.substring(0, Math.min(200, text.length())));
    }
}
