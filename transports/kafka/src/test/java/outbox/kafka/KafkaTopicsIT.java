package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.devservices.KafkaBroker;
import catbox.devservices.KafkaServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.internal.Ulids;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Destination;
import outbox.spi.Settings;
import outbox.spi.TimeSource;
import outbox.testkit.Await;

/** Checks the choice of the topic, its existence, and its limits. */
@Timeout(120)
final class KafkaTopicsIT {

    private final Cluster cluster = Cluster.plain();
    private final AtomicBoolean failed = new AtomicBoolean();

    @Test
    void usesTheEventTypeAsTopicUnlessTheRouteNamesAnother() {
        String type = cluster.createTopic(1);
        String named = cluster.createTopic(1);
        EventEnvelope event = EventEnvelope.builder(type).payloadJson("{}").build();
        try (Destination destination = cluster.destination(Map.of())) {
            List<Outcome> outcomes = Outcomes.of(destination, List.of(new Delivery(event, 1), Sample.to(named, event)))
                    .all();

            assertThat(outcomes).containsExactly(new Outcome.Delivered(type, 0, 0), new Outcome.Delivered(named, 0, 0));
        }
    }

    @Test
    void namedClustersHaveTheirOwnSettings() {
        try (KafkaBroker second = KafkaServer.start()) {
            Cluster other = new Cluster(second);
            String topic = cluster.createTopic(1);
            other.createTopic(topic, 1, Map.of());
            EventEnvelope here = Sample.ofSize("key", 5_000);
            EventEnvelope there = Sample.ofKey("key");
            try (Destination roomy = cluster.destination(Map.of("topic", topic));
                    Destination narrow = Cluster.destination(
                            "invoices",
                            second.clientProperties(),
                            Map.of("topic", topic, "property.max.request.size", "2000"))) {
                assertThat(Outcomes.of(roomy, here).get(0)).isInstanceOf(Outcome.Delivered.class);
                assertThat(Outcomes.of(narrow, here).get(0)).isInstanceOf(Outcome.Rejected.class);
                assertThat(Outcomes.of(narrow, there).get(0)).isInstanceOf(Outcome.Delivered.class);
                assertThat(narrow.toString()).contains("invoices", second.bootstrapServers());
            }
            assertThat(cluster.receivedIds(topic, 1)).containsExactly(here.eventId());
            assertThat(other.receivedIds(topic, 1)).containsExactly(there.eventId());
        }
    }

    // ---- missing topics --------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void aMissingTopicDelaysNoOtherAndMayBeCreatedLater(String transactional) {
        String there = cluster.createTopic(1);
        String missing = "missing-" + Ulids.SYSTEM.next();
        try (Destination destination =
                cluster.destination(Map.of("transactional", transactional, "transactional-id-prefix", there))) {
            List<Outcome> outcomes = Outcomes.of(
                            destination,
                            List.of(Sample.to(missing, Sample.ofKey("a")), Sample.to(there, Sample.ofKey("b"))))
                    .all();

            Outcomes.isUnavailable(outcomes.get(0), Scope.ADDRESS);
            assertThat(Outcomes.error(outcomes.get(0))).contains(missing, "does not exist", "create-topics");
            assertThat(outcomes.get(1)).isInstanceOf(Outcome.Delivered.class);
            cluster.createTopic(missing, 1, Map.of());
            deliveredInTheEnd(destination, Sample.to(missing, Sample.ofKey("a")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void aTopicThatIsDeletedIsMissingAgain(String transactional) {
        String there = cluster.createTopic(1);
        String deleted = cluster.createTopic(1);
        Map<String, String> settings = Map.of(
                "property.request.timeout.ms", "1500",
                "property.delivery.timeout.ms", "2000",
                "property.max.block.ms", "3000",
                "transactional", transactional,
                "transactional-id-prefix", deleted);
        List<Delivery> both = List.of(Sample.to(deleted, Sample.ofKey("a")), Sample.to(there, Sample.ofKey("b")));
        try (Destination destination = cluster.destination(settings)) {
            Outcomes.awaitDelivered(destination, both);
            cluster.deleteTopic(deleted);

            Outcome first = Outcomes.of(destination, both).get(0);
            List<Outcome> second = Outcomes.of(destination, both).all();

            Outcomes.isUnavailable(first, Scope.ADDRESS);
            Outcomes.isUnavailable(second.get(0), Scope.ADDRESS);
            assertThat(Outcomes.error(second.get(0))).contains("does not exist");
            assertThat(second.get(1)).isInstanceOf(Outcome.Delivered.class);
        }
    }

    @Test
    void anErrorDuringATopicLookupAffectsNoLaterEvent() {
        String topic = cluster.createTopic(1);
        try (Destination destination = failingOnce(topic, "outbox-kafka-look-up")) {
            Outcomes.isUnavailable(Outcomes.of(destination, Sample.ofKey("a")).get(0), Scope.DESTINATION);
            assertThat(Outcomes.of(destination, Sample.ofKey("a")).get(0)).isInstanceOf(Outcome.Delivered.class);
        }
    }

    @Test
    void anErrorDuringALimitQueryAffectsNoLaterEvent() {
        String topic = cluster.createTopic("narrow-" + Ulids.SYSTEM.next(), 1, Map.of("max.message.bytes", "2000"));
        try (Destination destination = failingOnce(topic, "")) {
            assertThat(Outcomes.of(destination, Sample.ofSize("a", 3_000)).get(0))
                    .isInstanceOf(Outcome.Rejected.class);
            Await.until("the limit has been asked for", failed::get);
            assertThat(Outcomes.of(destination, Sample.ofKey("a")).get(0)).isInstanceOf(Outcome.Delivered.class);
            assertThat(Outcomes.of(destination, Sample.ofSize("a", 3_000)).get(0))
                    .isInstanceOf(Outcome.Rejected.class);
        }
    }

    /** Creates a destination in which the first call of the clock on a thread of this name throws an Error. */
    private Destination failingOnce(String topic, String thread) {
        TimeSource time = new TimeSource() {
            @Override
            public Instant instant() {
                return SYSTEM.instant();
            }

            @Override
            public long nanoTime() {
                if (Thread.currentThread().getName().equals(thread) && !failed.getAndSet(true)) {
                    throw new NoClassDefFoundError("com/example/Missing");
                }
                return SYSTEM.nanoTime();
            }
        };
        KafkaConfig config = KafkaConfig.from(new Settings(
                "destination orders",
                "orders",
                Map.of("bootstrap-servers", cluster.broker().bootstrapServers(), "topic", topic)));
        return new KafkaDestination(config, time);
    }

    @Test
    void recordsOfKnownTopicsDoNotWaitForAnother() {
        String known = cluster.createTopic(1);
        try (Destination destination = cluster.destination(Map.of("property.max.block.ms", "20000"))) {
            Outcomes.of(destination, List.of(Sample.to(known, Sample.ofKey("a"))))
                    .all();
            Outcomes both = Outcomes.of(
                    destination,
                    List.of(Sample.to("missing-" + known, Sample.ofKey("a")), Sample.to(known, Sample.ofKey("b"))));

            assertThat(both.get(1)).isInstanceOf(Outcome.Delivered.class);
            Outcomes.isUnavailable(both.get(0), Scope.ADDRESS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void createsTopicsWhenAskedTo(String transactional) {
        String topic = "created-" + Ulids.SYSTEM.next();
        Map<String, String> settings = Map.of(
                "create-topics", "true",
                "partitions", "3",
                "replication-factor", "1",
                "transactional", transactional,
                "transactional-id-prefix", topic);
        try (Destination destination = cluster.destination(settings)) {
            assertThat(Outcomes.of(destination, List.of(Sample.to(topic, Sample.ofKey("a"))))
                            .get(0))
                    .isInstanceOf(Outcome.Delivered.class);
        }
        assertThat(cluster.partitions(topic)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void saysWhyATopicCannotBeCreated(String transactional) {
        String there = cluster.createTopic(1);
        String topic = "not-created-" + Ulids.SYSTEM.next();
        Map<String, String> settings = Map.of(
                "create-topics",
                "true",
                "replication-factor",
                "3",
                "transactional",
                transactional,
                "transactional-id-prefix",
                topic);
        try (Destination destination = cluster.destination(settings)) {
            List<Outcome> outcomes = Outcomes.of(
                            destination,
                            List.of(Sample.to(topic, Sample.ofKey("a")), Sample.to(there, Sample.ofKey("b"))))
                    .all();

            Outcomes.isUnavailable(outcomes.get(0), Scope.ADDRESS);
            assertThat(Outcomes.error(outcomes.get(0))).contains(topic, "replication factor");
            assertThat(outcomes.get(1)).isInstanceOf(Outcome.Delivered.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void aNameThatKafkaForbidsIsRejected(String transactional) {
        try (Destination destination = cluster.destination(Map.of("transactional", transactional))) {
            Outcome outcome = Outcomes.of(destination, List.of(Sample.to("no/such name", Sample.ofKey("a"))))
                    .get(0);

            assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
            assertThat(Outcomes.error(outcome)).contains("no/such name");
        }
    }

    @Test
    void anEventWithoutWhatTheTemplateNeedsIsRejected() {
        try (Destination destination = cluster.destination(Map.of("topic", "orders.{tenantId}"))) {
            Outcome outcome = Outcomes.of(destination, Sample.ofKey("a")).get(0);

            assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
            assertThat(Outcomes.error(outcome)).contains("tenantId");
        }
    }

    // ---- limits of a topic -----------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void rejectsTooLargeMessagesByEitherLimit(String transactional) {
        String narrow = cluster.createTopic("narrow-" + Ulids.SYSTEM.next(), 1, Map.of("max.message.bytes", "1000"));
        String wide = cluster.createTopic(1);
        Map<String, String> settings = Map.of(
                "property.max.request.size", "20000",
                "transactional", transactional,
                "transactional-id-prefix", narrow);
        try (Destination destination = cluster.destination(settings)) {
            List<Outcome> outcomes = Outcomes.of(
                            destination,
                            List.of(
                                    Sample.to(narrow, Sample.ofSize("a", 5_000)),
                                    Sample.to(wide, Sample.ofSize("b", 30_000)),
                                    Sample.to(wide, Sample.ofSize("c", 5_000))))
                    .all();

            assertThat(outcomes.get(0)).isInstanceOf(Outcome.Rejected.class);
            assertThat(Outcomes.error(outcomes.get(0))).contains(narrow, "about 51", "max.message.bytes");
            assertThat(outcomes.get(1)).isInstanceOf(Outcome.Rejected.class);
            assertThat(Outcomes.error(outcomes.get(1))).contains(wide, "about 301", "20000", "max.request.size");
            assertThat(outcomes.get(2)).isInstanceOf(Outcome.Delivered.class);
        }
    }

    /** Each is rejected alone, so none of them counts against the cluster. */
    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void compactedTopicRejectsARecordWithoutKey(String transactional) {
        String topic = cluster.createTopic("compacted-" + Ulids.SYSTEM.next(), 1, Map.of("cleanup.policy", "compact"));
        List<EventEnvelope> left = new ArrayList<>();
        for (int n = 0; n < 40; n++) {
            left.add(n % 2 == 0 ? Sample.ofKey("key-" + n) : EventEnvelope.ofJson("Keyless", "{}"));
        }
        int rejected = 0;
        Map<String, String> settings =
                Map.of("topic", topic, "transactional", transactional, "transactional-id-prefix", topic);
        try (Destination destination = cluster.destination(settings)) {
            for (int round = 0; round < 25 && !left.isEmpty(); round++) {
                List<Outcome> outcomes = Outcomes.of(destination, left.toArray(EventEnvelope[]::new))
                        .all();
                List<EventEnvelope> again = new ArrayList<>();
                for (int n = 0; n < outcomes.size(); n++) {
                    boolean keyless = left.get(n).orderingKey() == null;
                    if (Outcomes.isGivenUp(outcomes.get(n))) {
                        again.add(left.get(n)); // It was in a batch with a rejected record, and is sent without it now.
                    } else {
                        assertThat(outcomes.get(n))
                                .isInstanceOf(keyless ? Outcome.Rejected.class : Outcome.Delivered.class);
                        rejected += keyless ? 1 : 0;
                    }
                }
                left = again;
            }
        }
        assertThat(left).isEmpty();
        assertThat(rejected).isEqualTo(20);
    }

    @Test
    void aRejectedRecordOfAFullBatchKeepsTheOrder() {
        String topic = cluster.createTopic("narrow-" + Ulids.SYSTEM.next(), 1, Map.of("max.message.bytes", "2000"));
        List<EventEnvelope> round = new ArrayList<>();
        for (int key = 0; key < 50; key++) {
            round.add(key % 7 == 3 ? Sample.ofSize("key-" + key, 10_000) : Sample.ofKey("key-" + key));
        }
        try (Destination destination = cluster.destination(Map.of("topic", topic, "property.linger.ms", "20"))) {
            List<Outcome> first = Outcomes.of(destination, round.toArray(EventEnvelope[]::new))
                    .all();
            List<EventEnvelope> next = new ArrayList<>();
            round.forEach(event -> next.add(Sample.ofKey(event.orderingKey())));
            List<Outcome> second =
                    Outcomes.of(destination, next.toArray(EventEnvelope[]::new)).all();

            for (int key = 0; key < 50; key++) {
                assertThat(first.get(key))
                        .isInstanceOf(key % 7 == 3 ? Outcome.Rejected.class : Outcome.Delivered.class);
                assertThat(second.get(key)).isInstanceOf(Outcome.Delivered.class);
            }
            List<String> arrived = cluster.receivedIds(topic, 92);
            assertThat(arrived).doesNotHaveDuplicates();
            for (int key = 0; key < 50; key++) {
                if (key % 7 != 3) {
                    assertThat(arrived.indexOf(round.get(key).eventId()))
                            .isNotNegative()
                            .isLessThan(arrived.indexOf(next.get(key).eventId()));
                }
            }
        }
    }

    // The very first record is a special case: the broker does not know the producer yet, and accepts any.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 200})
    void nothingOvertakesARecordThatTheBrokerRejects(int number) {
        String topic = cluster.createTopic("narrow-" + Ulids.SYSTEM.next(), 1, Map.of("max.message.bytes", "2000"));
        List<EventEnvelope> events = new ArrayList<>(Sample.ofKey("k", 600));
        EventEnvelope refused = Sample.ofSize("k", 10_000);
        events.set(number, refused);
        // Small batches, so that some are in flight behind the rejected one.
        Map<String, String> settings = Map.of("topic", topic, "property.batch.size", "1000");
        try (Destination destination = cluster.destination(settings)) {
            List<Outcome> outcomes = Outcomes.of(destination, events.toArray(EventEnvelope[]::new))
                    .all();

            assertThat(outcomes.subList(0, number)).allMatch(Outcome.Delivered.class::isInstance);
            assertThat(outcomes.get(number)).isInstanceOf(Outcome.Rejected.class);
            assertThat(outcomes.subList(number + 1, 600)).allMatch(Outcomes::isGivenUp);

            List<EventEnvelope> behind = events.subList(number + 1, 600);
            assertThat(Outcomes.of(destination, behind.toArray(EventEnvelope[]::new))
                            .kinds())
                    .containsExactly(Outcome.Delivered.class);
        }
        events.remove(refused);
        assertThat(cluster.receivedIds(topic, 599)).isEqualTo(Sample.ids(events));
    }

    @Test
    void nothingOvertakesARecordThatTheClientRejects() {
        String topic = cluster.createTopic(1);
        List<EventEnvelope> events = new ArrayList<>(Sample.ofKey("k", 20));
        events.set(7, Sample.ofSize("k", 30_000));
        Map<String, String> settings = Map.of("topic", topic, "property.max.request.size", "20000");
        try (Destination destination = cluster.destination(settings)) {
            List<Outcome> outcomes = Outcomes.of(destination, events.toArray(EventEnvelope[]::new))
                    .all();

            assertThat(outcomes.subList(0, 7)).allMatch(Outcome.Delivered.class::isInstance);
            assertThat(outcomes.get(7)).isInstanceOf(Outcome.Rejected.class);
            assertThat(outcomes.subList(8, 20))
                    .allMatch(outcome -> Outcomes.error(outcome)
                            .contains("behind event " + events.get(7).eventId()));
        }
        assertThat(cluster.receivedIds(topic, 7)).isEqualTo(Sample.ids(events.subList(0, 7)));
    }

    @Test
    void nothingOvertakesAnEventThatCannotBeConverted() {
        String topic = cluster.createTopic("orders." + Ulids.SYSTEM.next(), 1, Map.of());
        String tenant = topic.substring("orders.".length());
        List<EventEnvelope> events =
                List.of(ofTenant(tenant, "k"), Sample.ofKey("k"), ofTenant(tenant, "k"), ofTenant(tenant, "other"));
        try (Destination destination = cluster.destination(Map.of("topic", "orders.{tenantId}"))) {
            List<Outcome> outcomes = Outcomes.of(destination, events.toArray(EventEnvelope[]::new))
                    .all();

            assertThat(outcomes.get(0)).isInstanceOf(Outcome.Delivered.class);
            assertThat(outcomes.get(1)).isInstanceOf(Outcome.Rejected.class);
            assertThat(Outcomes.error(outcomes.get(2)))
                    .contains("behind event " + events.get(1).eventId());
            assertThat(outcomes.get(3)).isInstanceOf(Outcome.Delivered.class);
            assertThat(destination.addressOf(new Delivery(events.get(0), 1))).isEqualTo(topic);
            assertThatThrownBy(() -> destination.addressOf(new Delivery(events.get(1), 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("tenantId");
        }
    }

    private static EventEnvelope ofTenant(String tenant, String key) {
        return EventEnvelope.builder("OrderPlaced")
                .tenantId(tenant)
                .orderingKey(key)
                .payloadJson("{}")
                .build();
    }

    @Test
    void eventsOfAKeyForAnotherTopicWaitForTheEarlierOnes() {
        String one = cluster.createTopic(1);
        String missing = "missing-" + Ulids.SYSTEM.next();
        String two = cluster.createTopic(1);
        List<EventEnvelope> events = Sample.ofKey("k", 6);
        List<Delivery> call = List.of(
                Sample.to(one, events.get(0)),
                Sample.to(one, events.get(1)),
                Sample.to(two, events.get(2)),
                Sample.to(missing, events.get(3)),
                Sample.to(missing, events.get(4)),
                Sample.to(one, events.get(5)));
        try (Destination destination = cluster.destination(Map.of())) {
            List<Outcome> outcomes = Outcomes.of(destination, call).all();

            assertThat(outcomes.subList(0, 3)).allMatch(Outcome.Delivered.class::isInstance);
            assertThat(Outcomes.error(outcomes.get(3))).contains(missing, "does not exist");
            assertThat(Outcomes.error(outcomes.get(4)))
                    .contains("behind event " + events.get(3).eventId());
            assertThat(Outcomes.error(outcomes.get(5)))
                    .contains("behind event " + events.get(3).eventId());
        }
        assertThat(cluster.receivedIds(one, 2)).isEqualTo(Sample.ids(events.subList(0, 2)));
        assertThat(cluster.receivedIds(two, 1)).isEqualTo(Sample.ids(events.subList(2, 3)));
    }

    private static void deliveredInTheEnd(Destination destination, Delivery delivery) {
        long start = TimeSource.SYSTEM.nanoTime();
        Outcome outcome = Outcomes.of(destination, List.of(delivery)).get(0);
        while (!(outcome instanceof Outcome.Delivered) && TimeSource.SYSTEM.nanoTime() - start < 20_000_000_000L) {
            outcome = Outcomes.of(destination, List.of(delivery)).get(0);
        }
        assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
    }
}
