package outbox.admin;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.BoundedCount;

/** Writes times, counts and errors as parts of sentences. */
public final class Phrases {

    private static final int ERROR_CHARS_MAX = 300;
    private static final int KEYS_MAX = 20;

    private Phrases() {}

    /** To the second, since readers compare it with a clock. */
    static String at(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** A time in the future or the past, and how far away it is. */
    static String at(Instant time, Instant now) {
        return time.isAfter(now)
                ? at(time) + " (in " + lasting(Duration.between(now, time)) + ")"
                : at(time) + " (" + lasting(Duration.between(time, now)) + " ago)";
    }

    /** The two largest units. */
    static String lasting(Duration duration) {
        Duration positive = duration.isNegative() ? Duration.ZERO : duration;
        if (positive.toDays() > 0) {
            return positive.toDays() + " d " + positive.toHoursPart() + " h";
        }
        if (positive.toHours() > 0) {
            return positive.toHours() + " h " + positive.toMinutesPart() + " min";
        }
        if (positive.toMinutes() > 0) {
            return positive.toMinutes() + " min " + positive.toSecondsPart() + " s";
        }
        return positive.toSeconds() > 0 ? positive.toSeconds() + " s" : positive.toMillis() + " ms";
    }

    public static String times(int count) {
        return count == 1 ? "once" : count + " times";
    }

    static String events(long count) {
        return count == 1 ? "1 event" : count + " events";
    }

    /** The result of a dry run, and whether that is all. */
    static String counted(BoundedCount count, int limit, String wouldBe) {
        if (!count.more() || count.counted() >= limit) {
            return count + " would match and " + wouldBe;
        }
        String found = count.counted() == 0 ? "None found so far that" : "At least " + count.counted();
        return found + " would match and " + wouldBe + "; there may be more, because the search ended early";
    }

    /** Names keys that dead events have paused, and that stay paused until they are resumed. */
    static String stillPaused(Collection<String> keys) {
        String named = keys.stream()
                .limit(KEYS_MAX)
                .map(key -> ". Key " + key + " is still paused: resume it")
                .collect(Collectors.joining());
        int more = keys.size() - KEYS_MAX;
        return more <= 0 ? named : named + String.format(Locale.ROOT, ". So are %,d more keys: see the pauses", more);
    }

    public static String error(@Nullable String error) {
        if (error == null || error.isBlank()) {
            return "no error was recorded";
        }
        String line = error.strip().replaceAll("\\s+", " ");
        return line.length() <= ERROR_CHARS_MAX ? line : cut(line, ERROR_CHARS_MAX) + " …";
    }

    /** The beginning of a text, which does not end in the middle of a character. */
    static String cut(String text, int charsMax) {
        boolean inPair =
                text.length() > charsMax && Character.isSurrogatePair(text.charAt(charsMax - 1), text.charAt(charsMax));
        return text.length() <= charsMax ? text : text.substring(0, inPair ? charsMax - 1 : charsMax);
    }
}
