package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.internal.Ulids;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.relay.DestinationConfig;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.relay.SettleConfig;
import outbox.relay.observe.RelayEvent;
import outbox.spi.Destination;
import outbox.spi.TimeSource;
import outbox.spi.relay.RelayStores;
import outbox.testkit.Await;
import outbox.testkit.InMemoryStore;
import outbox.testkit.StoreFixture;

/** Runs a relay in front of a broker, and checks what a rejected record and a missing topic cost all other events. */
@Timeout(180)
final class KafkaRelayIT {

    private static final int EVENTS = 10_000;
    private static final int KEYS = 1_000;
    private static final int LARGE_BYTES = 60_000;

    /** The issue's own number. */
    private static final int TIMES_AS_LONG_MAX = 10;

    private static final Duration CHECK_MAX = Duration.ofSeconds(60);
    private static final Duration PROBE_INTERVAL = Duration.ofMillis(500);
    private static final int PROBES = 6;
    private static final Duration PROMPT = Duration.ofSeconds(5);

    /** Referenced, so that its level stays: each dead event is logged. */
    private static final Logger LOG = Logger.getLogger("outbox.relay");

    private final Cluster cluster = Cluster.plain();
    private final String name = Ulids.SYSTEM.next();

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.SEVERE);
    }

    @AfterAll
    static void asBefore() {
        LOG.setLevel(null);
    }

    // ---- records that are too large for their topic ----------------------------------------------------------------

    @Test
    void drainsABacklogWithRejectedEventsInAFewTimesTheNormalTime() {
        List<EventEnvelope> events = backlog(0.09);
        String wide = cluster.createTopic("wide-" + name, 3, Map.of());
        drain(wide, events); // The first drain loads and compiles classes.
        Duration clean = drain(wide, events);

        assertThat(drainWithRefusals("none", events)).isLessThan(clean.multipliedBy(TIMES_AS_LONG_MAX));
    }

    /** The size of a compressed record is unknown before it is sent, so the broker has to reject each. */
    @Test
    void rejectedRecordsOfACompressedBacklogAffectNoOther() {
        drainWithRefusals("gzip", backlog(0.03));
    }

    /** All events arrive in the order of their keys, except those that are too large, and no other is charged. */
    private Duration drainWithRefusals(String compression, List<EventEnvelope> events) {
        String narrow = cluster.createTopic("narrow-" + name, 3, Map.of("max.message.bytes", "50000"));
        try (Destination destination =
                        cluster.destination(Map.of("topic", narrow, "property.compression.type", compression));
                Drain drain = new Drain(destination, DestinationConfig.defaults())) {
            drain.publish(events);

            Duration took = drain.run(EVENTS);

            Set<String> large = ids(events, event -> event.payloadSize() == LARGE_BYTES);
            assertThat(drain.ids(EventStatus.DEAD)).isEqualTo(large);
            assertThat(drain.ids(EventStatus.DONE)).isEqualTo(ids(events, event -> !large.contains(event.eventId())));
            assertThat(drain.chargedBut(large)).isEmpty();
            assertThat(drain.breakerChanges).isEmpty();
            assertThat(firstArrivalsByKey(narrow, EVENTS - large.size()))
                    .isEqualTo(byKey(events.stream()
                            .filter(event -> !large.contains(event.eventId()))
                            .toList()));
            return took;
        }
    }

    private static List<EventEnvelope> backlog(double largeShare) {
        Random random = new Random(23);
        List<EventEnvelope> events = new ArrayList<>();
        for (int n = 0; n < EVENTS; n++) {
            String key = "key-" + n % KEYS;
            events.add(random.nextDouble() < largeShare ? noise(key, random) : Sample.ofKey(key));
        }
        return events;
    }

    private static EventEnvelope noise(String key, Random random) {
        byte[] noise = new byte[LARGE_BYTES];
        random.nextBytes(noise);
        return EventEnvelope.builder("Noise")
                .orderingKey(key)
                .payloadBytes(noise)
                .build();
    }

    private Duration drain(String topic, List<EventEnvelope> events) {
        try (Destination destination = cluster.destination(Map.of("topic", topic));
                Drain drain = new Drain(destination, DestinationConfig.defaults())) {
            drain.publish(events);
            Duration took = drain.run(events.size());
            assertThat(drain.ids(EventStatus.DONE)).hasSize(events.size());
            return took;
        }
    }

    private Map<String, List<String>> firstArrivalsByKey(String topic, int atLeast) {
        Map<String, Set<String>> first = new HashMap<>();
        cluster.received(topic, atLeast)
                .forEach(message -> first.computeIfAbsent(
                                new String(message.key(), StandardCharsets.UTF_8), key -> new LinkedHashSet<>())
                        .add(Cluster.header(message, "outbox-event-id")));
        Map<String, List<String>> byKey = new HashMap<>();
        first.forEach((key, ids) -> byKey.put(key, List.copyOf(ids)));
        return byKey;
    }

    private static Map<String, List<String>> byKey(List<EventEnvelope> events) {
        Map<String, List<String>> byKey = new HashMap<>();
        events.forEach(event -> byKey.computeIfAbsent(event.orderingKey(), key -> new ArrayList<>())
                .add(event.eventId()));
        return byKey;
    }

    private static Set<String> ids(List<EventEnvelope> events, Predicate<EventEnvelope> which) {
        return Set.copyOf(Sample.ids(events.stream().filter(which).toList()));
    }

    // ---- a topic that is missing -----------------------------------------------------------------------------------

    @Test
    void queriesAMissingTopicOncePerProbeIntervalAndStopsNoOther() {
        String good = cluster.createTopic("good-" + name, 3, Map.of());
        String missing = "missing-" + name;
        List<EventEnvelope> waiting = ofType(missing, 100);
        List<EventEnvelope> flowing = ofType(good, 2_000);
        DestinationConfig config = DestinationConfig.defaults().withBreaker(10, PROBE_INTERVAL, PROBE_INTERVAL);
        try (KafkaDestination destination = (KafkaDestination) cluster.destination(Map.of("topic", "{eventType}"));
                Drain drain = new Drain(destination, config)) {
            drain.publish(waiting);
            drain.publish(flowing);

            drain.run(flowing.size());
            long asked = destination.topicQueries();
            long start = TimeSource.SYSTEM.nanoTime();
            Await.until("the topic was asked for again", () -> destination.topicQueries() >= asked + PROBES);

            assertThat(since(start)).isGreaterThanOrEqualTo(PROBE_INTERVAL.multipliedBy(PROBES - 1));
            assertThat(drain.ids(EventStatus.DONE)).isEqualTo(Set.copyOf(Sample.ids(flowing)));
            assertThat(drain.chargedBut(Set.of())).isEmpty();
            assertThat(drain.breakerChanges).isEmpty();
            assertThat(drain.unavailable).containsExactly(missing);

            cluster.createTopic(missing, 3, Map.of());
            Await.until("all are delivered", PROMPT, () -> drain.settled() == waiting.size() + flowing.size());
            assertThat(drain.chargedBut(Set.of())).isEmpty();
            assertThat(cluster.receivedIds(missing, waiting.size()))
                    .containsExactlyInAnyOrderElementsOf(Sample.ids(waiting));
        }
    }

    private static List<EventEnvelope> ofType(String type, int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> EventEnvelope.builder(type)
                        .orderingKey(type + "-" + n)
                        .payloadJson("{}")
                        .build())
                .toList();
    }

    // ---- a relay on a store in memory ------------------------------------------------------------------------------

    private static Duration since(long nanoTime) {
        return Duration.ofNanos(TimeSource.SYSTEM.nanoTime() - nanoTime);
    }

    /** Measures the delivery of events that were published before the relay started. */
    private static final class Drain implements AutoCloseable {

        private final InMemoryStore store = new InMemoryStore(TimeSource.SYSTEM);
        private final Relay relay;
        private final List<RelayEvent> breakerChanges = new CopyOnWriteArrayList<>();
        private final List<String> unavailable = new CopyOnWriteArrayList<>();
        private final LongAdder settled = new LongAdder();

        /** Time at which the first event was settled; 0 before that. */
        private final AtomicLong begun = new AtomicLong();

        Drain(Destination destination, DestinationConfig config) {
            RelayConfig relayConfig =
                    RelayConfig.of("node-1").withSettle(SettleConfig.defaults().withMaxAttempts(2));
            this.relay = Relay.on(
                            new RelayStores(store.relayStore(), store.clusterStore(), store.claimStore()), relayConfig)
                    .destination("there", destination, config)
                    .listener(this::note)
                    .build();
        }

        private void note(RelayEvent event) {
            switch (event) {
                case RelayEvent.Settled some -> {
                    begun.compareAndSet(0, TimeSource.SYSTEM.nanoTime());
                    settled.add(some.done() + some.dead());
                }
                case RelayEvent.BreakerChanged change -> breakerChanges.add(change);
                case RelayEvent.AddressChanged change when !change.available() -> unavailable.add(change.address());
                default -> {}
            }
        }

        void publish(List<EventEnvelope> events) {
            try (StoreFixture.Session session = store.newSession()) {
                session.begin();
                OutboxClient.storeOnly(session.store()).publishAll(events);
                session.commit();
            }
        }

        /** Starts the relay, waits until it has settled this number of events, and returns the time since the first. */
        Duration run(int events) {
            relay.start();
            Await.until(events + " events are settled", CHECK_MAX, () -> settled() >= events);
            return since(begun.get());
        }

        long settled() {
            return settled.sum();
        }

        Set<String> ids(EventStatus status) {
            return store.events().stream()
                    .filter(event -> event.status() == status)
                    .map(OutboxEvent::eventId)
                    .collect(Collectors.toSet());
        }

        /** Returns the events that were charged with an attempt, except the faulty ones. */
        Set<String> chargedBut(Set<String> faulty) {
            return store.events().stream()
                    .filter(event -> event.attempts() > 0 && !faulty.contains(event.eventId()))
                    .map(OutboxEvent::eventId)
                    .collect(Collectors.toSet());
        }

        @Override
        public void close() {
            relay.close();
        }
    }
}
