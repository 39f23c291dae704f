package outbox.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Parses the time that a server asks a client to wait. */
final class RetryAfter {

    /** Limits the wait, so that a server's mistake does not stop events for days. */
    static final Duration MAX = Duration.ofHours(1);

    private RetryAfter() {}

    /** Parses seconds or a date. Returns null when it is neither, or lies in the past. */
    static @Nullable Duration parse(@Nullable String value, Instant now) {
        if (value == null) {
            return null;
        }
        String text = value.strip();
        if (text.matches("\\d{1,18}")) {
            return bounded(Duration.ofSeconds(Math.min(Long.parseLong(text), MAX.toSeconds())));
        }
        try {
            Instant then = DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
            return bounded(Duration.between(now, then));
        } catch (DateTimeException e) {
            return null;
        }
    }

    static @Nullable Duration bounded(Duration asked) {
        if (asked.isNegative() || asked.isZero()) {
            return null;
        }
        return asked.compareTo(MAX) > 0 ? MAX : asked;
    }
}
