package outbox.sqs;

import java.util.regex.Pattern;

/** Checks which texts SQS accepts: the characters of XML 1.0 in bodies and values, and few in names. */
final class SqsText {

    private static final int NAME_CHARS_MAX = 256;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
    private static final Pattern RESERVED = Pattern.compile("(?i)(aws|amazon)\\..*");

    private SqsText() {}

    /** Returns the index of the first character that SQS does not accept, or -1. */
    static int firstRefused(String text) {
        int index = 0;
        while (index < text.length()) {
            int character = text.codePointAt(index);
            if (!isAllowed(character)) {
                return index;
            }
            index += Character.charCount(character);
        }
        return -1;
    }

    private static boolean isAllowed(int character) {
        return character == '\t'
                || character == '\n'
                || character == '\r'
                || (character >= 0x20 && character <= 0xD7FF)
                || (character >= 0xE000 && character <= 0xFFFD)
                || character >= 0x10000;
    }

    /** Escapes every character of a JSON document that SQS does not accept, without changing its meaning. */
    static String escaped(String json) {
        if (firstRefused(json) < 0) {
            return json;
        }
        StringBuilder escaped = new StringBuilder();
        json.codePoints().forEach(character -> {
            if (isAllowed(character)) {
                escaped.appendCodePoint(character);
            } else {
                escaped.append("\\u%04x".formatted(character));
            }
        });
        return escaped.toString();
    }

    /** Returns whether this can be an attribute of its own. */
    static boolean canBeAttribute(String name, String value) {
        return name.length() <= NAME_CHARS_MAX
                && NAME.matcher(name).matches()
                && !RESERVED.matcher(name).matches()
                && !value.isEmpty()
                && firstRefused(value) < 0;
    }
}
