package outbox.util;

import java.util.Map;

/** Reads RFC 8259 strictly, and builds no tree: validating a payload allocates only the reader. */
final class JsonReader {

    // A deeper document could overflow the stack of a consumer.
    private static final int DEPTH_MAX = 512;

    private final String text;
    /** All characters within strings, combined by OR. */
    private int charactersSeen;

    private int at;

    JsonReader(String text) {
        this.text = text;
    }

    void document() {
        space();
        value(0);
        space();
        end();
    }

    Map<String, String> stringMap(Map<String, String> map) {
        space();
        expect('{');
        space();
        if (!taken('}')) {
            do {
                space();
                String key = decodedString();
                space();
                expect(':');
                space();
                if (map.putIfAbsent(key, decodedString()) != null) {
                    throw bad("a name twice");
                }
                space();
            } while (taken(','));
            expect('}');
        }
        space();
        end();
        return map;
    }

    private void value(int depth) {
        switch (peek()) {
            case '{' -> members('{', '}', depth);
            case '[' -> members('[', ']', depth);
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> number();
        }
    }

    private void members(char open, char close, int depth) {
        if (depth >= DEPTH_MAX) {
            throw bad("nesting deeper than " + DEPTH_MAX);
        }
        expect(open);
        space();
        if (taken(close)) {
            return;
        }
        do {
            space();
            if (open == '{') {
                string();
                space();
                expect(':');
                space();
            }
            value(depth + 1);
            space();
        } while (taken(','));
        expect(close);
    }

    private void string() {
        expect('"');
        while (true) {
            skipPlainCharacters();
            char c = next();
            if (c == '"') {
                return;
            }
            if (c == '\\') {
                escape();
            } else if (c < ' ') {
                at--;
                throw bad("a control character inside a string");
            }
        }
    }

    // Most of a document is plain characters, so this loop uses local variables.
    private void skipPlainCharacters() {
        String document = text;
        int end = document.length();
        int i = at;
        int all = 0;
        while (i < end) {
            char c = document.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                break;
            }
            all |= c;
            i++;
        }
        charactersSeen |= all;
        at = i;
    }

    /** Whether the text is ASCII so far; outside of strings JSON always is. */
    boolean isAscii() {
        return charactersSeen < 0x80;
    }

    private String decodedString() {
        StringBuilder decoded = new StringBuilder();
        expect('"');
        while (true) {
            char c = next();
            if (c == '"') {
                return decoded.toString();
            }
            if (c < ' ') {
                at--;
                throw bad("a control character inside a string");
            }
            decoded.append(c == '\\' ? escape() : c);
        }
    }

    private char escape() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> (char) (hex() << 12 | hex() << 8 | hex() << 4 | hex());
            default -> {
                at--;
                throw bad("an unknown escape");
            }
        };
    }

    private int hex() {
        char c = next();
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        char lower = (char) (c | 0x20);
        if (lower >= 'a' && lower <= 'f') {
            return lower - 'a' + 10;
        }
        at--;
        throw bad("something other than a hexadecimal digit");
    }

    private void number() {
        taken('-');
        if (!taken('0')) {
            digits();
        }
        if (taken('.')) {
            digits();
        }
        if (taken('e') || taken('E')) {
            if (!taken('+')) {
                taken('-');
            }
            digits();
        }
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw bad(at == text.length() ? "the end" : "no value");
        }
    }

    private void literal(String literal) {
        if (!text.startsWith(literal, at)) {
            throw bad("no value");
        }
        at += literal.length();
    }

    private void space() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
                return;
            }
            at++;
        }
    }

    private char peek() {
        if (at == text.length()) {
            throw bad("the end");
        }
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private boolean taken(char c) {
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (!taken(c)) {
            throw bad(at == text.length() ? "the end where '" + c + "' belongs" : "no '" + c + "'");
        }
    }

    private void end() {
        if (at < text.length()) {
            throw bad("more text after the value");
        }
    }

    // Names the position and never the text: payloads do not belong in messages and logs.
    private IllegalArgumentException bad(String met) {
        return new IllegalArgumentException("is not JSON: " + met + " at character " + at);
    }
}
