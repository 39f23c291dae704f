package catbox.server.config;

import java.util.Map;
import java.util.TreeMap;
import outbox.spi.Settings;

/**
 * The format and the levels of the server's log.
 *
 * @param levels of single loggers
 */
public record LoggingPlan(Format format, Level level, Map<String, Level> levels) {

    /** The format of a line. */
    public enum Format {
        TEXT,
        /** One JSON object per line, with the fields of the Elastic Common Schema. */
        JSON
    }

    /** The least severe messages that are logged. */
    public enum Level {
        OFF,
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    static LoggingPlan read(Settings settings) {
        Format format = settings.oneOf("format", Format.class, Format.TEXT);
        Level level = settings.oneOf("level", Level.class, Level.INFO);
        Map<String, Level> levels = new TreeMap<>();
        for (String logger : settings.group("levels").keySet()) {
            levels.put(logger, settings.oneOf("levels." + logger, Level.class, level));
        }
        settings.requireAllKnown();
        return new LoggingPlan(format, level, Map.copyOf(levels));
    }
}
