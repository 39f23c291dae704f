package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.KafkaBroker;
import catbox.devservices.KafkaServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Partitioner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.internal.Ulids;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Destination;
import outbox.spi.Settings;
import outbox.spi.TimeSource;
import outbox.testkit.ManualTime;

/** Checks that each call is one transaction, and each partition has its transactional id. */
@Timeout(180)
final class KafkaTransactionsIT {

    private static final int EVENTS = 300;
    private static final EventEnvelope WITHOUT_KEY =
            EventEnvelope.builder("T").payloadJson("{}").build();

    private final Cluster cluster = Cluster.plain();

    @Test
    void oneCallDeliversManyEventsOfAKeyInOrder() {
        String topic = cluster.createTopic(3);
        List<EventEnvelope> events = Sample.ofKey("hot", 1_000);
        try (Destination destination = transactional(topic, Map.of())) {
            assertThat(destination.traits().eventsPerKeyMax()).isEqualTo(1_000);
            Outcomes first = Outcomes.of(destination, Sample.inPartition(1, events.subList(0, 500)));
            Outcomes second = Outcomes.of(destination, Sample.inPartition(1, events.subList(500, 1_000)));

            assertThat(first.kinds()).containsExactly(Outcome.Delivered.class);
            assertThat(second.kinds()).containsExactly(Outcome.Delivered.class);
        }
        assertThat(cluster.receivedIds(topic, 1_000)).containsExactlyElementsOf(Sample.ids(events));
    }

    @Test
    void aFaultyRecordDelaysOnlyItsKey() {
        String topic = cluster.createTopic("narrow-" + Ulids.SYSTEM.next(), 1, Map.of("max.message.bytes", "2000"));
        EventEnvelope first = Sample.ofKey("a");
        EventEnvelope failed = Sample.ofSize("a", 10_000);
        EventEnvelope behind = Sample.ofKey("a");
        EventEnvelope other = Sample.ofKey("b");
        EventEnvelope keyless = EventEnvelope.builder("T").payloadJson("{}").build();
        try (Destination destination = transactional(topic, Map.of())) {
            List<Outcome> outcomes = Outcomes.of(
                            destination, Sample.inPartition(1, List.of(first, failed, behind, other, keyless)))
                    .all();

            assertThat(outcomes.get(0)).isInstanceOf(Outcome.Delivered.class);
            assertThat(outcomes.get(1)).isInstanceOf(Outcome.Rejected.class);
            Outcomes.isUnavailable(outcomes.get(2), Scope.CALL);
            assertThat(Outcomes.error(outcomes.get(2))).contains("behind event " + failed.eventId());
            assertThat(outcomes.get(3)).isInstanceOf(Outcome.Delivered.class);
            assertThat(outcomes.get(4)).isInstanceOf(Outcome.Delivered.class);
            assertThat(Outcomes.of(destination, Sample.inPartition(1, List.of(behind)))
                            .get(0))
                    .isInstanceOf(Outcome.Delivered.class);
        }
        assertThat(cluster.receivedIds(topic, 4))
                .containsExactly(first.eventId(), other.eventId(), keyless.eventId(), behind.eventId());
    }

    @Test
    void manyFaultyRecordsChargeNoOthers() {
        String topic = cluster.createTopic("narrow-" + Ulids.SYSTEM.next(), 1, Map.of("max.message.bytes", "2000"));
        List<EventEnvelope> events = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            events.add(n % 2 == 0 ? Sample.ofSize("key-" + n, 10_000) : Sample.ofKey("key-" + n));
        }
        try (Destination destination =
                transactional(topic, Map.of("property.max.in.flight.requests.per.connection", "1"))) {
            List<Outcome> outcomes =
                    Outcomes.of(destination, Sample.inPartition(1, events)).all();

            assertThat(outcomes.get(0)).isInstanceOf(Outcome.Rejected.class);
            for (int n = 1; n < 20; n += 2) {
                assertThat(outcomes.get(n)).as("in one batch with culprits").isInstanceOf(Outcome.Delivered.class);
            }
            long delivered = outcomes.stream()
                    .filter(Outcome.Delivered.class::isInstance)
                    .count();
            assertThat(cluster.received(topic, (int) delivered)).hasSize((int) delivered);
        }
    }

    @Test
    void aKnownFaultNeedsNoTransactionPerRecord() {
        String topic = cluster.createTopic("narrow-" + Ulids.SYSTEM.next(), 1, Map.of("max.message.bytes", "20000"));
        List<EventEnvelope> events = eventsWithCulprits(n -> Sample.ofSize("key-" + n, 30_000));
        try (Destination destination = transactional(topic, Map.of())) {
            List<Outcome> outcomes =
                    Outcomes.of(destination, Sample.inPartition(1, events)).all();

            for (int n = 0; n < EVENTS; n++) {
                assertThat(outcomes.get(n))
                        .isInstanceOf(isCulprit(n) ? Outcome.Rejected.class : Outcome.Delivered.class);
            }
        }
        assertThat(cluster.transactions(topic)).isLessThanOrEqualTo(20);
    }

    /**
     * Kafka reports that a batch has a record without a key, which a compacted topic does not accept. The bisection has
     * as much time as a busy machine may need.
     */
    @Test
    void findsFaultyRecordsByBisection() {
        String topic = cluster.createTopic("compacted-" + Ulids.SYSTEM.next(), 1, Map.of("cleanup.policy", "compact"));
        List<EventEnvelope> events = eventsWithCulprits(n -> WITHOUT_KEY);
        try (Destination destination = transactional(topic, new ManualTime())) {
            List<Outcome> outcomes =
                    Outcomes.of(destination, Sample.inPartition(1, events)).all();

            for (int n = 0; n < EVENTS; n++) {
                assertThat(outcomes.get(n))
                        .isInstanceOf(isCulprit(n) ? Outcome.Rejected.class : Outcome.Delivered.class);
            }
        }
        assertThat(cluster.transactions(topic)).isLessThanOrEqualTo(80);
        assertThat(cluster.receivedIds(topic, EVENTS - 5))
                .containsExactlyElementsOf(Sample.ids(events.stream()
                        .filter(event -> !event.equals(WITHOUT_KEY))
                        .toList()));
    }

    @Test
    void releasesRecordsForWhichNoTimeIsLeft() {
        String topic = cluster.createTopic("compacted-" + Ulids.SYSTEM.next(), 1, Map.of("cleanup.policy", "compact"));
        List<EventEnvelope> left = eventsWithCulprits(n -> WITHOUT_KEY);
        AtomicLong seconds = new AtomicLong();
        TimeSource slow = new TimeSource() {
            @Override
            public Instant instant() {
                return Instant.EPOCH;
            }

            @Override
            public long nanoTime() { // A transaction takes a second.
                return seconds.incrementAndGet() * 1_000_000_000;
            }
        };
        int calls = 0;
        try (Destination destination = transactional(topic, slow)) {
            while (!left.isEmpty() && calls < 20) {
                List<Outcome> outcomes =
                        Outcomes.of(destination, Sample.inPartition(1, left)).all();
                List<EventEnvelope> givenBack = new ArrayList<>();
                for (int n = 0; n < left.size(); n++) {
                    boolean failed = left.get(n).orderingKey() == null;
                    if (Outcomes.isGivenUp(outcomes.get(n))) {
                        givenBack.add(left.get(n));
                    } else {
                        assertThat(outcomes.get(n))
                                .isInstanceOf(failed ? Outcome.Rejected.class : Outcome.Delivered.class);
                    }
                }
                left = givenBack;
                calls++;
            }
            assertThat(left).isEmpty();
            assertThat(calls).isGreaterThan(2);
            assertThat(cluster.transactions(topic)).isLessThanOrEqualTo(12L * calls);
        }
    }

    private static boolean isCulprit(int n) {
        return n % 60 == 30;
    }

    private static List<EventEnvelope> eventsWithCulprits(IntFunction<EventEnvelope> failed) {
        return IntStream.range(0, EVENTS)
                .mapToObj(n -> isCulprit(n) ? failed.apply(n) : Sample.ofKey("key-" + n))
                .toList();
    }

    @Test
    void newOwnerOfAPartitionFencesTheFormer() {
        String topic = cluster.createTopic(1);
        EventEnvelope byFormer = Sample.ofKey("a");
        EventEnvelope byNew = Sample.ofKey("a");
        EventEnvelope byZombie = Sample.ofKey("a");
        EventEnvelope elsewhere = Sample.ofKey("b");
        try (Destination former = transactional(topic, Map.of());
                Destination owner = transactional(topic, Map.of())) {
            Outcomes.of(former, Sample.inPartition(4, List.of(byFormer))).all();
            Outcomes.of(former, Sample.inPartition(5, List.of(elsewhere))).all();
            assertThat(Outcomes.of(owner, Sample.inPartition(4, List.of(byNew))).get(0))
                    .isInstanceOf(Outcome.Delivered.class);

            Outcome late = Outcomes.of(former, Sample.inPartition(4, List.of(byZombie)))
                    .get(0);

            Outcomes.isUnavailable(late, Scope.DESTINATION);
            assertThat(Outcomes.error(late)).contains("taken over the transactional id");
            assertThat(Outcomes.of(former, Sample.inPartition(5, List.of(Sample.ofKey("b"))))
                            .get(0))
                    .as("another partition of the former owner")
                    .isInstanceOf(Outcome.Delivered.class);
            assertThat(cluster.receivedIds(topic, 4))
                    .contains(byFormer.eventId(), byNew.eventId(), elsewhere.eventId())
                    .doesNotContain(byZombie.eventId());
        }
    }

    @Test
    void callsWithoutPartitionsFenceNoProducer() {
        String topic = cluster.createTopic(1);
        try (Destination one = transactional(topic, Map.of());
                Destination other = transactional(topic, Map.of())) {
            for (int n = 0; n < 3; n++) {
                assertThat(Outcomes.of(one, Sample.ofKey("a")).get(0)).isInstanceOf(Outcome.Delivered.class);
                assertThat(Outcomes.of(other, Sample.ofKey("b")).get(0)).isInstanceOf(Outcome.Delivered.class);
            }
        }
    }

    /** Too many calls in this process do not concern the cluster. */
    @Test
    void onlyTheFirstFailedCallReportsTheClusterUnavailable() {
        Map<String, String> settings = new HashMap<>(settings("orders", Map.of()));
        settings.put("property.max.block.ms", "2000");
        try (Destination destination =
                Cluster.destination("orders", Map.of("bootstrap.servers", "127.0.0.1:1"), settings)) {
            List<Outcome> outcomes = IntStream.range(0, 150)
                    .mapToObj(n -> Outcomes.of(destination, Sample.inPartition(1, List.of(Sample.ofKey("key-" + n)))))
                    .toList()
                    .stream()
                    .map(outcome -> outcome.get(0))
                    .toList();

            Outcomes.isUnavailable(outcomes.get(0), Scope.DESTINATION);
            assertThat(outcomes.subList(1, 150)).allMatch(Outcomes::isGivenUp);
            assertThat(Outcomes.error(outcomes.get(149))).contains("calls are already waiting");
        }
    }

    @Test
    void anErrorBlamesNoEventAndAffectsNoLaterCall() {
        String topic = cluster.createTopic(1);
        List<Delivery> call = Sample.inPartition(1, List.of(Sample.ofKey("a")));
        try (Destination destination =
                transactional(topic, Map.of("property.partitioner.class", FailingOnce.class.getName()))) {
            Outcomes.isUnavailable(Outcomes.of(destination, call).get(0), Scope.DESTINATION);
            assertThat(Outcomes.of(destination, call).get(0)).isInstanceOf(Outcome.Delivered.class);
        }
    }

    /** A user's class that the client calls. */
    public static final class FailingOnce implements Partitioner {

        private static final AtomicBoolean FAILED = new AtomicBoolean();

        @Override
        public int partition(
                String topic,
                Object key,
                byte[] keyBytes,
                Object value,
                byte[] valueBytes,
                org.apache.kafka.common.Cluster cluster) {
            if (!FAILED.getAndSet(true)) {
                throw new NoClassDefFoundError("com/example/Missing");
            }
            return 0;
        }

        @Override
        public void configure(Map<String, ?> configs) {}

        @Override
        public void close() {}
    }

    @Test
    void consumersSeeNothingOfAnInterruptedCall() {
        try (KafkaBroker broker = KafkaServer.start()) {
            Cluster own = new Cluster(broker);
            String topic = own.createTopic(1);
            List<EventEnvelope> events = Sample.ofKey("a", 1_000);
            List<Delivery> call = Sample.inPartition(1, events);
            // One record for each request, and one request after another, so that the call has a middle.
            Map<String, String> slow = Map.of(
                    "property.batch.size", "0",
                    "property.max.in.flight.requests.per.connection", "1",
                    "property.max.block.ms", "5000");
            try (Destination destination = transactional(own, topic, slow)) {
                Runnable first = own.first(topic);
                Outcomes outcomes = Outcomes.of(destination, call);
                first.run();
                broker.kill();

                assertThat(outcomes.kinds()).containsExactly(Outcome.Retryable.class);
                broker.start();
                assertThat(own.received(topic, 0, "read_uncommitted"))
                        .as("what the killed broker had written")
                        .hasSizeBetween(1, 999);
                assertThat(own.received(topic, 0)).as("what a consumer may see").isEmpty();
                assertThat(Outcomes.of(destination, call).kinds()).containsExactly(Outcome.Delivered.class);
            }
            assertThat(own.receivedIds(topic, 1_000)).containsExactlyElementsOf(Sample.ids(events));
        }
    }

    @Test
    void closingDuringACallLeavesNothingVisible() {
        String topic = cluster.createTopic(1);
        List<EventEnvelope> events = Sample.ofKey("a", 1_000);
        Map<String, String> slow =
                Map.of("property.batch.size", "0", "property.max.in.flight.requests.per.connection", "1");
        Outcomes outcomes;
        try (Destination destination = transactional(topic, slow)) {
            Runnable first = cluster.first(topic);
            outcomes = Outcomes.of(destination, Sample.inPartition(1, events));
            first.run();
        }
        assertThat(outcomes.kinds()).containsExactly(Outcome.Unavailable.class);
        try (Destination next = transactional(topic, Map.of())) {
            assertThat(Outcomes.of(next, Sample.inPartition(1, events)).kinds())
                    .containsExactly(Outcome.Delivered.class);
        }
        assertThat(cluster.receivedIds(topic, 1_000)).containsExactlyElementsOf(Sample.ids(events));
        assertThat(cluster.received(topic, 1_000, "read_uncommitted").size())
                .as("with what the closed one had written")
                .isGreaterThan(1_000);
    }

    private Destination transactional(String topic, Map<String, String> further) {
        return transactional(cluster, topic, further);
    }

    private Destination transactional(String topic, TimeSource time) {
        Map<String, String> settings = new HashMap<>(settings(topic, Map.of()));
        settings.put("bootstrap-servers", cluster.broker().clientProperties().get("bootstrap.servers"));
        return new KafkaDestination(KafkaConfig.from(new Settings("destination orders", "orders", settings)), time);
    }

    private static Destination transactional(Cluster cluster, String topic, Map<String, String> further) {
        return cluster.destination(settings(topic, further));
    }

    private static Map<String, String> settings(String topic, Map<String, String> further) {
        Map<String, String> settings = new HashMap<>(further);
        settings.put("topic", topic);
        settings.put("transactional", "true");
        settings.put("transactional-id-prefix", topic);
        return settings;
    }
}
