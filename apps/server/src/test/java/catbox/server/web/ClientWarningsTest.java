package catbox.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import outbox.testkit.ManualTime;

class ClientWarningsTest {

    private final ManualTime time = new ManualTime();
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger kafka = context.getLogger("org.apache.kafka.clients.NetworkClient");
    private final Logger relay = context.getLogger("outbox.relay");

    @BeforeEach
    void setUp() {
        context.addTurboFilter(new ClientWarnings(time));
        lines.start();
        context.getLogger("ROOT").setLevel(Level.INFO);
        context.getLogger("ROOT").addAppender(lines);
    }

    @Test
    void aClientRepeatsAWarningOnceAMinuteWhateverItsNumbers() {
        for (int n = 0; n < 300; n++) { // Twice a second.
            kafka.warn("[Producer clientId=one] Connection to node -" + n + " could not be established.");
            time.advance(Duration.ofMillis(500));
        }
        kafka.warn("[Producer clientId=other] Connection to node -1 could not be established.");

        assertThat(messages()).hasSize(4);
    }

    @Test
    void otherLinesAreLeftAlone() {
        for (int n = 0; n < 3; n++) {
            kafka.info("metadata");
            relay.warn("warning");
        }

        assertThat(messages()).hasSize(6);
    }

    @Test
    void aClientThatIsDebuggedIsLeftAlone() {
        context.getLogger("org.apache.kafka").setLevel(Level.DEBUG);
        for (int n = 0; n < 3; n++) {
            kafka.warn("warning");
        }

        assertThat(messages()).hasSize(3);
    }

    private List<String> messages() {
        return lines.list.stream().map(ILoggingEvent::getMessage).toList();
    }
}
