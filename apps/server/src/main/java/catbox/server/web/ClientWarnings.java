package catbox.server.web;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import outbox.spi.TimeSource;

/**
 * Lets the clients of brokers and databases repeat a warning once a minute. During an outage Kafka's has several a second
 * for each connection, which say nothing that the lines of the relay do not. A logger at DEBUG is left alone.
 */
final class ClientWarnings extends TurboFilter {

    private static final List<String> CLIENTS = List.of(
            "org.apache.kafka.",
            "com.zaxxer.hikari.",
            "com.rabbitmq.",
            "software.amazon.",
            "org.mongodb.",
            "com.mongodb.");

    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final int KNOWN_MAX = 1_000;

    /** Numbers of requests and connections are others each time. */
    private static final Pattern NUMBERS = Pattern.compile("\\d+");

    private final TimeSource time;

    /** When each was let through last; guarded by itself. */
    private final Map<String, Long> letThrough = new HashMap<>();

    ClientWarnings(TimeSource time) {
        this.time = time;
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] parameters,
            @Nullable Throwable thrown) {
        boolean limited = format != null
                && level.isGreaterOrEqual(Level.WARN)
                && CLIENTS.stream().anyMatch(logger.getName()::startsWith)
                && logger.getEffectiveLevel().isGreaterOrEqual(Level.INFO);
        return !limited
                        || isDue(
                                logger.getName() + " " + NUMBERS.matcher(format).replaceAll("#"))
                ? FilterReply.NEUTRAL
                : FilterReply.DENY;
    }

    private boolean isDue(String warning) {
        long now = time.nanoTime();
        synchronized (letThrough) {
            Long last = letThrough.get(warning);
            if (last != null && now - last < EVERY.toNanos()) {
                return false;
            }
            if (letThrough.size() >= KNOWN_MAX) {
                letThrough.clear();
            }
            letThrough.put(warning, now);
            return true;
        }
    }
}
