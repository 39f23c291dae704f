package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.testkit.RecordingListener;
import outbox.testkit.World;

class FailureLogTest {

    private static final Logger LOG = Logger.getLogger(OutboxDispatcher.class.getName());

    private final World world = new World();
    private final List<LogRecord> lines = new ArrayList<>();
    private final Handler keeper = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOG.addHandler(keeper);
    }

    @AfterEach
    void listenNoMore() {
        LOG.removeHandler(keeper);
    }

    @Test
    void aFirstFailureIsInformationAndARepeatedOneAWarning() {
        Instance instance = Instance.builder(world)
                .listener(
                        new RecordingListener().failingWith(new Exception("1"), new Exception("2"), new Exception("3")))
                .build();
        String id = instance.publish(World.event()).eventId();
        for (int i = 0; i < 3; i++) {
            instance.work();
            world.time.advance(Duration.ofSeconds(10));
            instance.poll();
        }

        assertThat(lines)
                .filteredOn(line -> List.of(line.getParameters()).contains(id))
                .extracting(LogRecord::getLevel)
                .containsExactly(Level.INFO, Level.WARNING, Level.WARNING);
    }
}
