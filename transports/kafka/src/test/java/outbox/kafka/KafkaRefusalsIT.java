package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.KafkaServer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.internal.Ulids;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Destination;
import outbox.testkit.Await;

/**
 * Checks that a rejected record costs other records no attempt and little time, and the process no memory and no
 * thread.
 */
@Timeout(180)
final class KafkaRefusalsIT {

    private static final int REFUSALS = 1_000;

    private final Cluster cluster = Cluster.plain();
    private final String name = "refusals-" + Ulids.SYSTEM.next();

    @Test
    void aThousandRejectionsCostOneQueryOfTheTopicsSettings() {
        String topic = cluster.createTopic(name, 1, Map.of("max.message.bytes", "2000"));
        try (Destination destination = destination(Map.of("topic", topic))) {
            for (int n = 0; n < REFUSALS; n++) {
                refusedWithOthersBehindIt(destination, Sample.ofSize("k", 3_000));
            }
            assertThat(producerThreads()).allMatch(thread -> numberOf(thread) <= 3);
        }
        assertNothingIsLeft();
    }

    /** The size of a compressed record is unknown here, so the broker decides about each. */
    @Test
    void aRecordThatTheBrokerMayRejectEndsNoProducer() {
        String topic = cluster.createTopic(name, 1, Map.of("max.message.bytes", "2000"));
        Set<String> threads = new HashSet<>();
        try (Destination destination = destination(Map.of("topic", topic, "property.compression.type", "gzip"))) {
            for (int n = 0; n < 100; n++) {
                refusedWithOthersBehindIt(destination, noise(10_000));
                threads.addAll(producerThreads());
            }
        }
        assertThat(threads).hasSizeLessThanOrEqualTo(10); // One more each time that the size has been forgotten.
    }

    @Test
    void aRejectionWithoutAccessToTheTopicsLimitKeepsTheProducer() {
        Cluster secured = Cluster.secured();
        String topic = secured.createTopic(name, 1, Map.of("max.message.bytes", "2000"));
        secured.allowWritingOnly(KafkaServer.SCRAM_USER, topic);
        Set<String> threads = new HashSet<>();
        try (Destination destination = Cluster.destination(
                name, secured.broker().clientProperties(KafkaServer.SCRAM_USER), Map.of("topic", topic))) {
            for (int n = 0; n < 100; n++) {
                refusedWithOthersBehindIt(destination, Sample.ofSize("k", 3_000));
                threads.addAll(producerThreads());
            }
        }
        assertThat(threads).hasSizeLessThanOrEqualTo(10);
    }

    private static EventEnvelope noise(int bytes) {
        byte[] noise = new byte[bytes];
        new Random(1).nextBytes(noise);
        return EventEnvelope.builder("Noise")
                .orderingKey("k")
                .payloadBytes(noise)
                .build();
    }

    /** Each is smaller than the previously rejected one, and so might be accepted. */
    @Test
    void endedProducersLeaveNothingBehind() {
        String topic = cluster.createTopic(name, 1, Map.of("max.message.bytes", "2000"));
        Map<String, String> settings = Map.of(
                "topic", topic,
                "property.batch.size", "1000",
                "property.compression.type", "gzip",
                "property.metric.reporters", "org.apache.kafka.common.metrics.JmxReporter");
        Set<String> threads = new HashSet<>();
        try (Destination destination = destination(settings)) {
            for (int n = 0; n < REFUSALS; n++) {
                refusedWithOthersBehindIt(destination, noise(10_000 - n));
                threads.addAll(producerThreads());
            }
            assertThat(threads).as("producers that there were").hasSizeGreaterThan(REFUSALS / 4);
            Await.until("former producers are closed", () -> producerThreads().size() <= 1);
            Await.until(
                    "the beans of former producers are gone",
                    () -> clientsWithBeans().size() <= 2);
        }
        assertNothingIsLeft();
    }

    @Test
    void clientsRegisterNoMetricsBeansUnlessConfigured() {
        String topic = cluster.createTopic(name, 1, Map.of());
        try (Destination destination = destination(Map.of("topic", topic))) {
            assertThat(Outcomes.of(destination, Sample.ofKey("k")).kinds()).containsExactly(Outcome.Delivered.class);

            assertThat(beans()).allMatch(bean -> bean.contains("app-info"));
        }
    }

    private static void refusedWithOthersBehindIt(Destination destination, EventEnvelope large) {
        EventEnvelope[] call = {large, Sample.ofKey("k"), Sample.ofKey("k"), Sample.ofKey("other")};
        List<Outcome> outcomes = Outcomes.of(destination, call).all();
        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Rejected.class);
        assertThat(outcomes.subList(1, 3)).allMatch(Outcomes::isGivenUp);
        assertThat(outcomes.get(3)).matches(each -> each instanceof Outcome.Delivered || Outcomes.isGivenUp(each));
    }

    // ---- a backlog in which every tenth event is too large ---------------------------------------------------------

    @Test
    void drainsABacklogWithRejectedEventsInAFewRounds() {
        String topic = cluster.createTopic(name, 3, Map.of("max.message.bytes", "50000"));
        List<List<EventEnvelope>> keys = new ArrayList<>();
        for (int key = 0; key < 200; key++) {
            List<EventEnvelope> ofKey = new ArrayList<>(Sample.ofKey("key-" + key, 10));
            ofKey.set(key % 10, Sample.ofSize("key-" + key, 60_000));
            keys.add(ofKey);
        }
        int rounds = 0;
        try (Destination destination = destination(Map.of("topic", topic))) {
            for (List<EventEnvelope> left = flat(keys); !left.isEmpty(); left = flat(keys)) {
                settle(
                        keys,
                        left,
                        Outcomes.of(destination, left.toArray(EventEnvelope[]::new))
                                .all());
                rounds++;
            }
            assertThat(producerThreads()).allMatch(thread -> numberOf(thread) <= 3);
        }
        // Records behind a rejected event are sent in the next round.
        assertThat(rounds).isLessThanOrEqualTo(6);
        assertThat(new HashSet<>(cluster.receivedIds(topic, 1_800))).hasSize(1_800);
    }

    private static List<EventEnvelope> flat(List<List<EventEnvelope>> keys) {
        return keys.stream().flatMap(List::stream).toList();
    }

    private static void settle(List<List<EventEnvelope>> keys, List<EventEnvelope> sent, List<Outcome> outcomes) {
        Set<EventEnvelope> settled = new HashSet<>();
        for (int n = 0; n < sent.size(); n++) {
            boolean large = sent.get(n).payloadSize() > 50_000;
            switch (outcomes.get(n)) {
                case Outcome.Delivered delivered -> assertThat(large).isFalse();
                case Outcome.Rejected rejected -> assertThat(large).isTrue();
                case Outcome.Unavailable given ->
                    assertThat(given.scope()).as(given.error()).isEqualTo(Scope.CALL);
                case Outcome.Retryable charged -> throw new AssertionError("charged: " + charged.error());
            }
            if (!(outcomes.get(n) instanceof Outcome.Unavailable)) {
                settled.add(sent.get(n));
            }
        }
        keys.forEach(key -> key.removeIf(settled::contains));
    }

    // ---- state of this JVM -----------------------------------------------------------------------------------------

    private Destination destination(Map<String, String> settings) {
        return Cluster.destination(name, cluster.broker().clientProperties(), settings);
    }

    private void assertNothingIsLeft() {
        Await.until(
                "no thread of the destination is left", () -> producerThreads().isEmpty());
        Await.until("no bean of the destination is left", () -> beans().isEmpty());
    }

    private List<String> producerThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(thread -> thread.startsWith("kafka-producer-network-thread | " + name))
                .toList();
    }

    /** Returns the number of the producer among those of its destination; the first has no number in its name. */
    private int numberOf(String thread) {
        String number = thread.substring(thread.indexOf(name) + name.length());
        return number.isEmpty() ? 1 : Integer.parseInt(number.substring(1));
    }

    private Set<String> clientsWithBeans() {
        Set<String> clients = new HashSet<>();
        for (ObjectName bean : allBeans()) {
            String client = bean.getKeyProperty("client-id");
            if (client != null && client.startsWith(name)) {
                clients.add(client);
            }
        }
        return clients;
    }

    private List<String> beans() {
        return allBeans().stream()
                .map(ObjectName::toString)
                .filter(bean -> bean.contains(name))
                .toList();
    }

    private static Set<ObjectName> allBeans() {
        try {
            return ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("kafka.*:*"), null);
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e);
        }
    }
}
