package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.StoreUnavailableException;
import outbox.util.SettableTime;

final class OutageLogTest {

    private static final String NAME = "outage-log-test";

    private final SettableTime time = new SettableTime(Instant.EPOCH);
    private final OutageLog outages = new OutageLog(System.getLogger(NAME), time);
    private final Logger logger = Logger.getLogger(NAME);
    private final List<LogRecord> logged = new ArrayList<>();
    private final Handler recorder = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void recordTheLog() {
        logger.setUseParentHandlers(false);
        logger.addHandler(recorder);
    }

    @AfterEach
    void restoreTheLog() {
        logger.removeHandler(recorder);
        logger.setLevel(null);
        logger.setUseParentHandlers(true);
    }

    @Test
    void anOutageHasALineWhenItBeginsOneAMinuteAndOneWhenItEnds() {
        for (int n = 0; n < 384; n++) { // Twice a second, for 3 min 12 s.
            outages.failed("the store", new StoreUnavailableException("connection refused", null));
            time.pass(Duration.ofMillis(500));
        }
        outages.works("the store");
        outages.works("the store");

        assertThat(lines())
                .containsExactly(
                        "the store failed and is tried again: outbox.StoreUnavailableException: connection refused",
                        "the store still fails, for 1 min 0 s and 121 times:"
                                + " outbox.StoreUnavailableException: connection refused",
                        "the store still fails, for 2 min 0 s and 241 times:"
                                + " outbox.StoreUnavailableException: connection refused",
                        "the store still fails, for 3 min 0 s and 361 times:"
                                + " outbox.StoreUnavailableException: connection refused",
                        "the store works again, after 3 min 12 s and 384 failures");
        assertThat(logged)
                .extracting(LogRecord::getLevel)
                .startsWith(Level.WARNING)
                .endsWith(Level.INFO);
        assertThat(logged).extracting(LogRecord::getThrown).containsOnlyNulls();
    }

    @Test
    void whatFailsInSeveralPlacesWorksAgainWhenAllIsQuiet() {
        OutageLog shared = new OutageLog(System.getLogger(NAME), time, Duration.ofSeconds(10));
        shared.failed("the store", "slot 1 failed");
        time.pass(Duration.ofSeconds(9));
        shared.works("the store");
        shared.failed("the store", "slot 2 failed");
        time.pass(Duration.ofSeconds(9));
        shared.works();
        assertThat(lines()).hasSize(1);
        time.pass(Duration.ofSeconds(1));
        shared.works();

        assertThat(lines()).last().isEqualTo("the store works again, after 9 s and 2 failures");
    }

    @Test
    void eachHasItsOwnOutage() {
        outages.failed("destination a", "refused");
        outages.failed("destination b", "refused");
        outages.works("destination a");
        outages.works("destination c");
        outages.failed("destination b", "refused");

        assertThat(lines())
                .containsExactly(
                        "destination a failed and is tried again: refused",
                        "destination b failed and is tried again: refused",
                        "destination a works again, after 0 ms and 1 failure");
    }

    @Test
    void aFaultInAProgramShowsItsStackTraceOnce() {
        outages.failed("the store", new StoreUnavailableException("connection refused", null));
        outages.failed("the store", new IllegalStateException("fault"));
        outages.failed("the store", new IllegalStateException("fault"));
        outages.failed("the store", new NoClassDefFoundError("fault"));

        assertThat(logged)
                .extracting(LogRecord::getThrown)
                .satisfiesExactly(
                        first -> assertThat(first).isNull(),
                        second -> assertThat(second).isInstanceOf(IllegalStateException.class),
                        third -> assertThat(third).isInstanceOf(NoClassDefFoundError.class));
    }

    @Test
    void everyFailureHasItsStackTraceAtDebug() {
        logger.setLevel(Level.FINE);
        outages.failed("the store", new StoreUnavailableException("connection refused", null));
        outages.failed("the store", new StoreUnavailableException("connection refused", null));

        assertThat(logged)
                .filteredOn(line -> line.getLevel().equals(Level.FINE))
                .hasSize(2)
                .allMatch(line -> line.getThrown() instanceof StoreUnavailableException);
    }

    private List<String> lines() {
        return logged.stream().map(LogRecord::getMessage).toList();
    }
}
