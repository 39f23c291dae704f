package catbox.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What a server in this process logs from now on. */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();

    LogLines() {
        setContext(ROOT.getLoggerContext());
        start();
        ROOT.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent line) {
        lines.add(line);
    }

    List<String> all() {
        return lines.stream()
                .map(line -> line.getLevel() + " " + line.getLoggerName() + ": " + line.getFormattedMessage())
                .toList();
    }

    List<String> warnings() {
        return lines.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    List<String> with(String text) {
        return all().stream().filter(line -> line.contains(text)).toList();
    }

    List<String> withStackTrace() {
        return lines.stream()
                .filter(line -> line.getThrowableProxy() != null)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        ROOT.detachAppender(this);
        stop();
    }
}
