package catbox.console;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.model.EventStatus;
import outbox.spi.operations.BoundedCount;

/** Writes numbers, times and states as people read them. */
public final class ConsoleText {

    private final InstantSource clock;

    ConsoleText(InstantSource clock) {
        this.clock = clock;
    }

    /** How long ago, or how soon, in the largest unit that fits. */
    public String ago(@Nullable Instant at) {
        if (at == null) {
            return "never";
        }
        Duration since = Duration.between(at, clock.instant());
        if (since.abs().compareTo(Duration.ofSeconds(1)) < 0) {
            return "just now";
        }
        return since.isNegative() ? "in " + rough(since.negated()) : rough(since) + " ago";
    }

    /** One unit is exact enough next to the exact instant. */
    public String rough(Duration duration) {
        long seconds = duration.toSeconds();
        if (duration.isZero()) {
            return "0 s";
        }
        if (seconds < 1) {
            return duration.toMillis() + " ms";
        }
        if (seconds < 120) {
            return seconds + " s";
        }
        if (seconds < 2 * 3600) {
            return seconds / 60 + " min";
        }
        if (seconds < 2 * 86_400) {
            return seconds / 3600 + " h";
        }
        return seconds / 86_400 + " days";
    }

    /** An unknown count is a dash, and never a zero. */
    public String count(@Nullable BoundedCount count) {
        return count == null ? "–" : number(count.counted()) + (count.more() ? "+" : "");
    }

    public String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    public String rate(double perSecond) {
        return perSecond >= 10 || perSecond == Math.rint(perSecond)
                ? number(Math.round(perSecond))
                : String.format(Locale.ROOT, "%.1f", perSecond);
    }

    public String bytes(long bytes) {
        if (bytes < 1_000) {
            return bytes + (bytes == 1 ? " byte" : " bytes");
        }
        return bytes < 1_000_000
                ? String.format(Locale.ROOT, "%.1f kB", bytes / 1e3)
                : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }

    public String status(EventStatus status) {
        return switch (status) {
            case NEW -> "New";
            case RETRY -> "Waiting for retry";
            case DONE -> "Done";
            case DEAD -> "Dead";
        };
    }

    /** Headers as the form has them: NAME=VALUE, one per line. */
    public String lines(Map<String, String> headers) {
        return headers.entrySet().stream()
                .map(header -> header.getKey() + "=" + header.getValue())
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    /** What a route matches, without the braces around it. */
    public String match(String match) {
        return match.startsWith("{") && match.endsWith("}") ? match.substring(1, match.length() - 1) : match;
    }

    public String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
