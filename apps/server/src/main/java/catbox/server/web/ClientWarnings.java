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
 * Limits each warning of the clients of brokers and databases to once a minute. During an outage Kafka's client logs
 * several a second for each connection, and the relay's own lines say as much. Loggers at DEBUG have no limit.
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

    /** Numbers of requests and connections differ each time. */
    private static final Pattern NUMBERS = Pattern.compile("\\d+");

    private final TimeSource time;

    /** When each warning was last logged; guarded by itself. */
    private final Map<String, Long> logged = new HashMap<>();

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
        synchronized (logged) {
            Long last = logged.get(warning);
            if (last != null && now - last < EVERY.toNanos()) {
                return false;
            }
            if (logged.size() >= KNOWN_MAX) {
                logged.clear();
            }
            logged.put(warning, now);
            return true;
        }
    }
}
