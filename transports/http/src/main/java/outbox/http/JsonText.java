package outbox.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.util.JsonCodec;

/** Parses small JSON documents. The whole text is validated first, so parsing needs no checks. */
final class JsonText {

    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    /**
     * Returns the value of the text.
     *
     * @throws IllegalArgumentException when it is not JSON
     */
    static @Nullable Object read(String text) {
        JsonCodec.validate(text);
        return new JsonText(text).value();
    }

    private @Nullable Object value() {
        return switch (next()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> literal("true", true);
            case 'f' -> literal("false", false);
            case 'n' -> literal("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        at++;
        while (next() != '}') {
            String name = string();
            next();
            at++; // The colon.
            members.put(name, value());
            if (next() == ',') {
                at++;
            }
        }
        at++;
        return members;
    }

    private List<@Nullable Object> array() {
        List<@Nullable Object> elements = new ArrayList<>();
        at++;
        while (next() != ']') {
            elements.add(value());
            if (next() == ',') {
                at++;
            }
        }
        at++;
        return elements;
    }

    private String string() {
        int start = at;
        at++;
        while (text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
        return JsonCodec.decode("{\"\":" + text.substring(start, at) + "}").getOrDefault("", "");
    }

    private Double number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return Double.valueOf(text.substring(start, at));
    }

    private @Nullable Object literal(String word, @Nullable Object meaning) {
        at += word.length();
        return meaning;
    }

    /** Returns the next character that is not white space. */
    private char next() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.charAt(at);
    }
}
