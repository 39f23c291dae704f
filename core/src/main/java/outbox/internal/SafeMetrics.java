package outbox.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;
import outbox.spi.MetricsExporter;

/** Calls an exporter and logs what it throws. */
public final class SafeMetrics {

    private static final Logger LOG = System.getLogger(SafeMetrics.class.getName());

    private final MetricsExporter exporter;

    public SafeMetrics(MetricsExporter exporter) {
        this.exporter = exporter;
    }

    public void report(Consumer<MetricsExporter> fact) {
        try {
            fact.accept(exporter);
        } catch (Throwable e) { // An Error as well: a failing observer changes nothing.
            LOG.log(Level.WARNING, "the metrics exporter failed: " + ErrorText.of(e), e);
        }
    }
}
