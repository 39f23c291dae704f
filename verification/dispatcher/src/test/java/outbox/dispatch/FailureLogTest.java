package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.OutboxConfig;
import outbox.StoreUnavailableException;
import outbox.model.OutboxEvent;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.ClaimRequest;
import outbox.spi.MetricsExporter;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.testkit.Await;
import outbox.testkit.ForwardingStore;
import outbox.testkit.RecordingListener;
import outbox.testkit.World;

class FailureLogTest {

    private static final Logger LOG = Logger.getLogger(OutboxDispatcher.class.getName());

    private final World world = new World();
    private final List<LogRecord> lines = new CopyOnWriteArrayList<>();
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

    /** Workers, settler, keeper and poller all fail at once. */
    @Test
    void anOutageOfTheStoreHasOneLineWhenItBeginsAndOneWhenItEnds() {
        AtomicBoolean down = new AtomicBoolean(true);
        AtomicInteger failures = new AtomicInteger();
        AtomicInteger claims = new AtomicInteger();
        ForwardingStore store = new ForwardingStore(world.store) {
            @Override
            public List<OutboxEvent> claim(ClaimRequest request) {
                return asked(() -> {
                    claims.incrementAndGet();
                    return super.claim(request);
                });
            }

            @Override
            public SettleResult settle(SettleRequest request) {
                return asked(() -> super.settle(request));
            }

            private <T> T asked(Supplier<T> question) {
                if (down.get()) {
                    failures.incrementAndGet();
                    throw new StoreUnavailableException("connection refused", null);
                }
                return question.get();
            }
        };
        OutboxConfig config = new OutboxConfig().setPollerIntervalMs(10).setPollerSkipRecentMs(0);
        DefaultListenerRegistry listeners = new DefaultListenerRegistry();
        RecordingListener listener = new RecordingListener();
        listeners.registerAll(listener);
        try (OutboxDispatcher dispatcher = OutboxDispatcher.builder(store, store)
                        .config(config)
                        .listeners(listeners)
                        .time(world.time)
                        .build();
                OutboxPoller poller = new OutboxPoller(store, dispatcher, config, MetricsExporter.NOOP, world.time)) {
            poller.start();
            world.publish(dispatcher, World.event()); // Delivered at once, and not settled.
            Await.until("the store is asked in vain", () -> {
                poller.wake();
                return failures.get() > 20;
            });
            down.set(false);
            Await.until("the store is asked with success", () -> {
                poller.wake();
                return claims.get() > 2;
            });
            world.time.advance(Duration.ofSeconds(10));
            Await.until("the end is logged", () -> {
                poller.wake();
                return lines.stream().anyMatch(line -> line.getMessage().startsWith("the dispatcher works again"));
            });
        }

        assertThat(lines)
                .extracting(LogRecord::getMessage)
                .filteredOn(line -> line.startsWith("the dispatcher"))
                .hasSize(2)
                .first()
                .asString()
                .contains("failed and is tried again", "connection refused");
        assertThat(lines).extracting(LogRecord::getThrown).containsOnlyNulls();
    }
}
