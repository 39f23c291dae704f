package catbox.chaos;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The contents of an event: its key, and its number among the events of that key, counted from 1. */
record Numbered(String key, long number) {

    private static final Pattern PAYLOAD = Pattern.compile("\\{\"key\":\"([^\"]+)\",\"number\":(\\d+)}");

    String toPayload() {
        return "{\"key\":\"" + key + "\",\"number\":" + number + "}";
    }

    static Numbered of(@Nullable String payload) {
        Matcher matcher = PAYLOAD.matcher(payload == null ? "" : payload);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not an event of this run: " + payload);
        }
        return new Numbered(matcher.group(1), Long.parseLong(matcher.group(2)));
    }
}
