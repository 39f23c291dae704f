package outbox.relay.observe;

import static java.util.logging.Level.INFO;
import static java.util.logging.Level.SEVERE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.StoreUnavailableException;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;
import outbox.spi.relay.Pause;
import outbox.testkit.ManualTime;

class RelayLogTest {

    private static final Pause.Subject KEY = new Pause.Subject(Pause.Kind.KEY, "customer-8");

    /** One of each kind, with the words that its line has to have. */
    private record Sample(RelayEvent event, Level level, List<String> words) {}

    private static final List<Sample> SAMPLES = List.of(
            sample(new RelayEvent.Joined("node-1", "session-7"), Level.INFO, "node-1", "session-7"),
            sample(new RelayEvent.Left("node-1", "it was stopped"), Level.INFO, "node-1", "it was stopped"),
            sample(new RelayEvent.MembersChanged(List.of("node-1", "node-2")), Level.INFO, "node-1", "node-2"),
            sample(new RelayEvent.Rebalanced(ordered(1, 2), ordered(3)), Level.INFO, "[1, 2]", "[3]"),
            sample(new RelayEvent.MembersMissing(List.of("node-2")), Level.WARNING, "node-2", "miss heartbeats"),
            sample(new RelayEvent.MemberEnded("node-2", Duration.ofSeconds(2)), Level.WARNING, "node-2", "PT2S"),
            sample(new RelayEvent.DeliveriesPaused(Duration.ofSeconds(2)), Level.WARNING, "paused", "PT2S"),
            sample(new RelayEvent.DeliveriesResumed(), Level.INFO, "resume"),
            sample(new RelayEvent.Prepared(Duration.ofMillis(7)), Level.INFO, "PT0.007S"),
            sample(new RelayEvent.HeartbeatSent(Duration.ofMillis(3), 2), Level.TRACE, "PT0.003S", "2"),
            sample(new RelayEvent.PartitionAcquired(4, 17), Level.INFO, "partition 4", "epoch 17"),
            sample(
                    new RelayEvent.PartitionAcquired(4, 17, 1),
                    Level.INFO,
                    "partition 4",
                    "epoch 17",
                    "without releasing it: 1"),
            sample(
                    new RelayEvent.PartitionAcquired(4, 17, 2),
                    Level.WARNING,
                    "partition 4",
                    "epoch 17",
                    "without releasing it: 2"),
            sample(new RelayEvent.SuspectTried("event-9", 3), Level.WARNING, "event-9", "alone", "3"),
            sample(new RelayEvent.AcquireRefused(4), Level.DEBUG, "partition 4"),
            sample(new RelayEvent.PartitionReleased(4, 17, 0), Level.INFO, "partition 4", "epoch 17"),
            sample(new RelayEvent.PartitionReleased(4, 17, 9), Level.WARNING, "partition 4", "9 deliveries"),
            sample(
                    new RelayEvent.PartitionLost(4, 17, "lease over", 9),
                    Level.WARNING,
                    "partition 4",
                    "17",
                    "lease over",
                    "9"),
            sample(new RelayEvent.Fenced(4, 9), Level.WARNING, "partition 4", "9 event"),
            sample(new RelayEvent.NodesForgotten(List.of("node-3")), Level.WARNING, "node-3"),
            sample(new RelayEvent.Repartitioned(12), Level.INFO, "12 partitions"),
            sample(new RelayEvent.Claimed(4, 9), Level.DEBUG, "partition 4", "9 event"),
            sample(
                    new RelayEvent.Parked(4, 55, "retry in PT1S"),
                    Level.DEBUG,
                    "partition 4",
                    "lane 55",
                    "retry in PT1S"),
            sample(new RelayEvent.Unparked(4, 55), Level.DEBUG, "partition 4", "lane 55"),
            sample(new RelayEvent.LanesOverflowed(4, 10_000), Level.INFO, "partition 4", "10000 lanes", "skipped"),
            sample(
                    new RelayEvent.LanesFull(4, 10_000, "kafka/orders"),
                    Level.WARNING,
                    "partition 4",
                    "10000 lanes",
                    "for kafka/orders"),
            sample(new RelayEvent.Delivered(4, "orders", Duration.ofMillis(3)), Level.TRACE, "partition 4", "orders"),
            sample(
                    new RelayEvent.AttemptFailed("event-9", "orders", 1, "refused", Duration.ofSeconds(1)),
                    Level.INFO,
                    "event-9",
                    "refused"),
            sample(
                    new RelayEvent.AttemptFailed("event-9", "orders", 2, "refused", Duration.ofSeconds(1)),
                    Level.WARNING,
                    "event-9",
                    "orders",
                    "2",
                    "refused",
                    "PT1S"),
            sample(
                    new RelayEvent.Postponed("event-9", "orders", "refused", Duration.ofSeconds(1)),
                    Level.DEBUG,
                    "event-9",
                    "orders",
                    "unavailable",
                    "refused",
                    "PT1S"),
            sample(new RelayEvent.Acknowledged("event-5", "orders"), Level.TRACE, "event-5", "acknowledged by orders"),
            sample(
                    new RelayEvent.Dropped("event-6", "noise", "it is not read"),
                    Level.DEBUG,
                    "event-6",
                    "noise",
                    "it is not read"),
            sample(
                    new RelayEvent.DestinationChanged("kafka", RelayEvent.DestinationChanged.Change.REPLACED),
                    Level.INFO,
                    "destination kafka was replaced"),
            sample(new RelayEvent.Rerouted(List.of("a to b")), Level.INFO, "[a to b]"),
            sample(
                    new RelayEvent.Died("event-9", "orders", 10, "refused"),
                    Level.WARNING,
                    "event-9",
                    "orders",
                    "10",
                    "refused"),
            sample(
                    new RelayEvent.Settled(4, 7, 2, 1, Duration.ofMillis(3)),
                    Level.DEBUG,
                    "partition 4",
                    "7 done",
                    "2 to retry",
                    "1 dead"),
            sample(new RelayEvent.BreakerChanged("orders", State.OPEN, "down"), Level.DEBUG, "orders", "OPEN", "down"),
            sample(new RelayEvent.BreakerChanged("orders", State.CLOSED, "up"), Level.DEBUG, "orders", "CLOSED"),
            sample(
                    new RelayEvent.AddressChanged("orders", "topic-8", false, "no such topic"),
                    Level.WARNING,
                    "orders",
                    "topic-8",
                    "unavailable",
                    "no such topic"),
            sample(
                    new RelayEvent.Paused(new Pause(KEY, "broken data", "ada", Instant.EPOCH)),
                    Level.INFO,
                    "key customer-8",
                    "ada",
                    "broken data"),
            sample(new RelayEvent.Resumed(KEY), Level.INFO, "key customer-8"),
            sample(new RelayEvent.HotPartition(4, 0.756, 10_000), Level.WARNING, "partition 4", "76 %", "10000"),
            sample(
                    new RelayEvent.HotKey(4, "customer-8", 0.5, 10_000),
                    Level.WARNING,
                    "customer-8",
                    "partition 4",
                    "50 %"),
            sample(
                    new RelayEvent.HotKey(4, "customer-8", 0.5, 10_000),
                    Level.WARNING,
                    "customer-8",
                    "partition 4",
                    "50 %"),
            sample(
                    new RelayEvent.PartFailed("partition 4", "database away", new IllegalStateException()),
                    Level.WARNING,
                    "partition 4",
                    "database away"));

    @Test
    void hasALineForEveryKindOfEvent() {
        Set<Class<?>> kinds = new java.util.HashSet<>(Arrays.asList(RelayEvent.class.getPermittedSubclasses()));

        SAMPLES.forEach(sample -> kinds.remove(sample.event().getClass()));

        assertThat(kinds).isEmpty();
    }

    @Test
    void namesWhatAnOperatorLooksFor() {
        for (Sample sample : SAMPLES) {
            assertThat(RelayLog.textOf(sample.event())).contains(sample.words());
            assertThat(RelayLog.levelOf(sample.event()))
                    .as("%s", sample.event())
                    .isEqualTo(sample.level());
        }
    }

    @Test
    void saysNothingOfAbandonedDeliveriesWhenThereAreNone() {
        assertThat(RelayLog.textOf(new RelayEvent.PartitionReleased(4, 17, 0))).doesNotContain("deliver");
    }

    @Test
    void hasNoEventThatCouldCarryAPayload() {
        for (Class<?> kind : RelayEvent.class.getPermittedSubclasses()) {
            for (var component : kind.getRecordComponents()) {
                assertThat(component.getType().getName())
                        .as("%s.%s", kind.getSimpleName(), component.getName())
                        .doesNotContain("EventEnvelope", "OutboxEvent", "Delivery", "[B");
                assertThat(component.getName()).doesNotContainIgnoringCase("payload");
            }
        }
    }

    // ---- what is logged --------------------------------------------------------------------------------------------

    private final Logger logger = Logger.getLogger("outbox.relay");
    private final List<LogRecord> records = new ArrayList<>();
    private final Handler recorder = new Handler() {
        @Override
        public void publish(LogRecord record) {
            records.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private final ManualTime time = new ManualTime();
    private final RelayLog log = new RelayLog(time);

    @BeforeEach
    void recordTheLog() {
        logger.setUseParentHandlers(false);
        logger.addHandler(recorder);
    }

    @AfterEach
    void restoreTheLog() {
        logger.removeHandler(recorder);
        logger.setUseParentHandlers(true);
    }

    @Test
    void logsAtTheLevelOfTheEventWithTheCauseOfAFault() {
        IllegalStateException cause = new IllegalStateException("broken");
        log.on(new RelayEvent.Claimed(4, 9));
        log.on(new RelayEvent.Repartitioned(12));
        log.on(new RelayEvent.PartFailed("partition 4", "broken", cause));

        assertThat(records).extracting(LogRecord::getLevel).containsExactly(INFO, SEVERE);
        assertThat(records.get(1).getThrown()).isSameAs(cause);
        assertThat(records.get(1).getMessage()).contains("partition 4", "tried again", "broken");
    }

    @Test
    void anOutageOfTheStoreHasFewLinesHoweverManyPartsFail() {
        StoreUnavailableException refused = new StoreUnavailableException("connection refused", null);
        for (int second = 0; second < 150; second++) {
            for (String part : List.of("partition 1", "partition 2", "outbox-relay-heartbeat", "outbox-relay-peek")) {
                log.on(new RelayEvent.PartFailed(part, "connection refused", refused));
            }
            time.advance(Duration.ofSeconds(1));
        }
        for (int second = 0; second < 20; second++) {
            log.on(new RelayEvent.HeartbeatSent(Duration.ofMillis(1), 1));
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(lines())
                .containsExactly(
                        "the store failed and is tried again: connection refused",
                        "the store still fails, for 1 min 0 s and 241 times: connection refused",
                        "the store still fails, for 2 min 0 s and 481 times: connection refused",
                        "the store works again, after 2 min 29 s and 600 failures");
        assertThat(records).extracting(LogRecord::getThrown).containsOnlyNulls();
    }

    @Test
    void aSlotThatFailsWhileTheNodeBeatsHasFewLinesToo() {
        StoreUnavailableException lost = new StoreUnavailableException("connection lost", null);
        for (int second = 0; second < 70; second++) {
            log.on(new RelayEvent.PartFailed("partition 1", "connection lost", lost));
            log.on(new RelayEvent.HeartbeatSent(Duration.ofMillis(1), 1));
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(lines()).hasSize(2);
    }

    @Test
    void anOutageOfADestinationHasALineWhenItBeginsOneAMinuteAndOneWhenItEnds() {
        for (int probe = 0; probe < 35; probe++) { // Every four seconds.
            log.on(new RelayEvent.BreakerChanged("orders", State.OPEN, "connection refused"));
            log.on(new RelayEvent.Postponed("event-9", "orders", "connection refused", Duration.ofSeconds(4)));
            time.advance(Duration.ofSeconds(4));
            log.on(new RelayEvent.BreakerChanged("orders", State.HALF_OPEN, "its rest is over"));
        }
        log.on(new RelayEvent.BreakerChanged("orders", State.CLOSED, "an event was delivered"));

        assertThat(lines())
                .containsExactly(
                        "destination orders failed and is tried again: connection refused",
                        "destination orders still fails, for 1 min 0 s and 16 times: connection refused",
                        "destination orders still fails, for 2 min 0 s and 31 times: connection refused",
                        "destination orders works again, after 2 min 20 s and 35 failures");
    }

    private List<String> lines() {
        return records.stream().map(LogRecord::getMessage).toList();
    }

    private static Sample sample(RelayEvent event, Level level, String... words) {
        return new Sample(event, level, List.of(words));
    }

    private static Set<Integer> ordered(Integer... partitions) {
        return new TreeSet<>(List.of(partitions));
    }
}
