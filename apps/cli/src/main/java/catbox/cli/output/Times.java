package catbox.cli.output;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** Reads and formats times: how long ago, and exactly, in UTC. */
public record Times(InstantSource clock) {

    private static final DateTimeFormatter EXACT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
    private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final long DAYS_SHOWN_AS_HOURS_MAX = 2;

    /** Such as {@code 5 m ago (2026-01-01 00:00:00Z)}; a narrow column cuts off the exact time. */
    public @Nullable String of(@Nullable Instant time) {
        return time == null ? null : away(time) + " (" + EXACT.format(time) + ")";
    }

    /** Such as {@code 5 m ago} or {@code in 3.0 s}. */
    public @Nullable String away(@Nullable Instant time) {
        if (time == null) {
            return null;
        }
        Duration ago = Duration.between(time, clock.instant());
        if (ago.isNegative()) {
            return "in " + of(ago.negated());
        }
        return ago.toMillis() < 1_000 ? "now" : of(ago) + " ago";
    }

    /** In the one unit that fits best. */
    public static String of(Duration duration) {
        if (duration.toMillis() < 1_000) {
            return duration.toMillis() + " ms";
        }
        if (duration.toSeconds() < 10) {
            return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1_000.0);
        }
        if (duration.toSeconds() < 120) {
            return duration.toSeconds() + " s";
        }
        if (duration.toMinutes() < 120) {
            return duration.toMinutes() + " m";
        }
        return duration.toDays() < DAYS_SHOWN_AS_HOURS_MAX ? duration.toHours() + " h" : duration.toDays() + " d";
    }

    /** Reads a time: ISO-8601, or how long ago. */
    public Instant instant(String text) {
        try {
            return SHORT.matcher(text).matches() ? clock.instant().minus(duration(text)) : Instant.parse(text);
        } catch (DateTimeException e) {
            throw new TypeConversionException("a time is written as 2026-01-31T12:00:00Z, or as how long ago it was,"
                    + " such as 90s, 15m, 2h or 7d; was \"" + text + "\"");
        }
    }

    /** Reads a duration: ISO-8601, or short. */
    public static Duration duration(String text) {
        Matcher typed = SHORT.matcher(text);
        try {
            return typed.matches()
                    ? Duration.of(Long.parseLong(typed.group(1)), unit(typed.group(2)))
                    : Duration.parse(text);
        } catch (DateTimeException e) {
            throw new TypeConversionException(
                    "a duration is written as 90s, 15m, 2h, 30d or PT15M; was \"" + text + "\"");
        }
    }

    private static ChronoUnit unit(String name) {
        return switch (name) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            case "h" -> ChronoUnit.HOURS;
            default -> ChronoUnit.DAYS;
        };
    }
}
