package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.KafkaBroker;
import catbox.devservices.KafkaServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Destination;

/** Uses a separate broker, which is killed and frozen. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
final class KafkaOutageIT {

    private KafkaBroker broker;
    private Cluster cluster;

    @BeforeAll
    void startOwnBroker() {
        broker = KafkaServer.start();
        cluster = new Cluster(broker);
    }

    @AfterAll
    void closeOwnBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void anUnansweredRecordMayHaveArrived() {
        String one = cluster.createTopic(1);
        String two = cluster.createTopic(1);
        try (Destination destination = destination(Map.of())) {
            List<Delivery> both = List.of(Sample.to(one, Sample.ofKey("a")), Sample.to(two, Sample.ofKey("b")));
            Outcomes.awaitDelivered(destination, both);
            broker.pause();

            List<Outcome> outcomes = Outcomes.of(destination, both).all();

            broker.resume();
            assertThat(outcomes).allSatisfy(outcome -> {
                assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
                assertThat(((Outcome.Retryable) outcome).unanswered()).isTrue();
                assertThat(Outcomes.error(outcome)).contains("no answer in time");
            });
        }
    }

    @Test
    void recordsBehindAnUnansweredOneOfTheirKeyAreGivenUp() {
        String topic = cluster.createTopic(1);
        // Each record is a batch, and so a request, of its own.
        try (Destination destination = destination(Map.of("topic", topic, "property.batch.size", "0"))) {
            Outcomes.awaitDelivered(destination, List.of(new Delivery(Sample.ofKey("k"), 1)));
            broker.pause();

            EventEnvelope[] events = Sample.ofKey("k", 5).toArray(EventEnvelope[]::new);
            List<Outcome> outcomes = Outcomes.of(destination, events).all();

            broker.resume();
            assertThat(outcomes.get(0)).isInstanceOf(Outcome.Retryable.class);
            assertThat(outcomes.subList(1, 5)).allMatch(Outcomes::isGivenUp);
            retryUntilDelivered(destination, List.of(events), Outcomes.of(destination, events));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void losesNothingAndKeepsOrderWhenTheBrokerIsKilledInTheStream(String transactional) {
        String topic = cluster.createTopic(3);
        List<EventEnvelope> sent = new ArrayList<>();
        try (Destination destination =
                destination(Map.of("topic", topic, "transactional", transactional, "transactional-id-prefix", topic))) {
            for (int round = 0; round < 60; round++) {
                List<EventEnvelope> events = new ArrayList<>();
                for (int n = 0; n < 60; n++) {
                    events.add(Sample.ofKey("key-" + n % 20));
                }
                Outcomes outcomes = Outcomes.of(destination, Sample.inPartition(1, events));
                if (round == 30) {
                    broker.kill();
                    outcomes.all();
                    broker.start();
                }
                retryUntilDelivered(destination, events, outcomes);
                sent.addAll(events);
            }
        }
        List<String> arrived = List.copyOf(new LinkedHashSet<>(cluster.receivedIds(topic, sent.size())));
        assertThat(arrived).containsExactlyInAnyOrderElementsOf(Sample.ids(sent));
        for (int key = 0; key < 20; key++) {
            String name = "key-" + key;
            List<String> ofKey = sent.stream()
                    .filter(event -> name.equals(event.orderingKey()))
                    .map(EventEnvelope::eventId)
                    .toList();
            assertThat(arrived.stream().filter(ofKey::contains)).containsExactlyElementsOf(ofKey);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void waitsOnceForAllRecordsOfACallWhileTheBrokerIsGone(String transactional) {
        String topic = cluster.createTopic(3);
        try (Destination destination =
                destination(Map.of("topic", topic, "transactional", transactional, "transactional-id-prefix", topic))) {
            List<EventEnvelope> events = new ArrayList<>();
            for (int n = 0; n < 60; n++) {
                events.add(Sample.ofKey("key-" + n));
            }
            Outcomes outcomes;
            broker.kill();
            try {
                outcomes = Outcomes.of(destination, Sample.inPartition(1, events));
                outcomes.all().forEach(outcome -> Outcomes.isUnavailable(outcome, Scope.DESTINATION));
            } finally {
                broker.start();
            }
            retryUntilDelivered(destination, events, outcomes);
        }
    }

    @Test
    void reportsSoonWithoutABroker() {
        for (String transactional : List.of("false", "true")) {
            Map<String, String> settings =
                    Map.of("property.max.block.ms", "1000", "topic", "any", "transactional", transactional);
            try (Destination destination =
                    Cluster.destination("orders", Map.of("bootstrap.servers", "127.0.0.1:1"), settings)) {
                Outcome outcome = Outcomes.of(destination, Sample.ofKey("a")).get(0);

                Outcomes.isUnavailable(outcome, Scope.DESTINATION);
                assertThat(Outcomes.error(outcome)).contains("127.0.0.1:1", "may be down or unreachable");
            }
        }
    }

    @Test
    void anUnresolvableAddressMayBeRepaired() {
        try (Destination destination =
                Cluster.destination("orders", Map.of("bootstrap.servers", "no-such-host.invalid:9092"), Map.of())) {
            Outcome outcome = Outcomes.of(destination, Sample.ofKey("a")).get(0);

            Outcomes.isUnavailable(outcome, Scope.DESTINATION);
            assertThat(Outcomes.error(outcome)).contains("no-such-host.invalid");
        }
    }

    private Destination destination(Map<String, String> further) {
        Map<String, String> settings = new HashMap<>(further);
        settings.put("property.request.timeout.ms", "1500");
        settings.put("property.delivery.timeout.ms", "3000");
        settings.put("property.max.block.ms", "3000");
        return cluster.destination(settings);
    }

    private static void retryUntilDelivered(Destination destination, List<EventEnvelope> events, Outcomes first) {
        List<EventEnvelope> left = events;
        Outcomes outcomes = first;
        for (int attempt = 1; attempt < 10 && !left.isEmpty(); attempt++) {
            List<EventEnvelope> failed = new ArrayList<>();
            for (int n = 0; n < left.size(); n++) {
                if (!(outcomes.get(n) instanceof Outcome.Delivered)) {
                    failed.add(left.get(n));
                }
            }
            left = failed;
            outcomes = Outcomes.of(destination, Sample.inPartition(1, left));
        }
        assertThat(left).isEmpty();
    }
}
