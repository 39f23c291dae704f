package catbox.server.web;

import catbox.server.config.LoggingPlan;
import ch.qos.logback.classic.LoggerContext;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingInitializationContext;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.env.ConfigurableEnvironment;
import outbox.spi.TimeSource;

/**
 * Sets up logging as the server's file says. This happens before the web application starts, so that what starts
 * earlier can log; a system property keeps the application from setting it up again.
 */
final class ServerLogging {

    /** Loggers that say too much by default. */
    private static final Map<String, LoggingPlan.Level> QUIET = Map.of(
            "com.zaxxer.hikari", LoggingPlan.Level.WARN,
            // Logs every broken connection, some with a stack trace; the relay already logs that the store failed.
            "com.zaxxer.hikari.pool.PoolBase", LoggingPlan.Level.ERROR,
            "com.zaxxer.hikari.pool.ProxyConnection", LoggingPlan.Level.ERROR,
            "org.apache.catalina", LoggingPlan.Level.WARN,
            "org.apache.coyote", LoggingPlan.Level.WARN,
            "org.apache.kafka", LoggingPlan.Level.WARN,
            "org.mongodb.driver", LoggingPlan.Level.WARN,
            "org.springframework", LoggingPlan.Level.WARN);

    private ServerLogging() {}

    static void setUp(LoggingPlan plan, ConfigurableEnvironment environment) {
        LoggingSystem logging = LoggingSystem.get(ServerLogging.class.getClassLoader());
        logging.getSystemProperties(environment).apply();
        logging.beforeInitialize();
        logging.initialize(new LoggingInitializationContext(environment), null, null);
        logging.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, level(plan.level()));
        Map<String, LoggingPlan.Level> levels = new TreeMap<>(QUIET);
        levels.putAll(plan.levels());
        levels.forEach((logger, level) -> logging.setLogLevel(logger, level(level)));
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.addTurboFilter(new ClientWarnings(TimeSource.SYSTEM));
        }
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
    }

    private static LogLevel level(LoggingPlan.Level level) {
        return LogLevel.valueOf(level.name().toUpperCase(Locale.ROOT));
    }
}
