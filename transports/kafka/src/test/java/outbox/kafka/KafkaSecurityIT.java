package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.KafkaLogin;
import catbox.devservices.KafkaServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Destination;

/** Uses a broker that requires TLS and a user. */
@Timeout(120)
final class KafkaSecurityIT {

    private static final String SECRET = "wrong-password-that-nobody-may-see";
    private static final Map<String, String> QUICK = Map.of(
            "property.max.block.ms", "10000",
            "property.request.timeout.ms", "1500",
            "property.delivery.timeout.ms", "3000");

    private final Cluster cluster = Cluster.secured();

    @Test
    void deliversByScramAndByPlain() {
        String topic = cluster.createTopic(1);
        for (KafkaLogin login : List.of(KafkaServer.SCRAM_USER, KafkaServer.PLAIN_USER)) {
            try (Destination destination = cluster.destination(login, Map.of("topic", topic))) {
                assertThat(Outcomes.of(destination, Sample.ofKey("key")).all())
                        .allMatch(Outcome.Delivered.class::isInstance);
            }
        }
        assertThat(cluster.received(topic, 2)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SCRAM-SHA-512", "PLAIN"})
    void aWrongPasswordMayBeRepairedAndIsNotTold(String mechanism) {
        String user = mechanism.equals("PLAIN") ? "plain" : "scram";
        for (String transactional : List.of("false", "true")) {
            Map<String, String> settings = new HashMap<>(QUICK);
            settings.put("transactional", transactional);
            try (Destination destination = cluster.destination(new KafkaLogin(mechanism, user, SECRET), settings)) {
                Outcome outcome = Outcomes.of(destination, Sample.ofKey("key")).get(0);

                Outcomes.isUnavailable(outcome, Scope.DESTINATION);
                assertThat(Outcomes.error(outcome))
                        .contains(cluster.broker().bootstrapServers(), "refuses the user or password")
                        .doesNotContain(SECRET);
                assertThat(destination.toString()).contains("orders").doesNotContain(SECRET);
            }
        }
    }

    @Test
    void reportsAnUntrustedCertificate() {
        Map<String, String> client = new HashMap<>(cluster.broker().clientProperties(KafkaServer.SCRAM_USER));
        client.keySet().removeIf(property -> property.startsWith("ssl."));
        try (Destination destination = Cluster.destination("orders", client, QUICK)) {
            Outcome outcome = Outcomes.of(destination, Sample.ofKey("key")).get(0);

            Outcomes.isUnavailable(outcome, Scope.DESTINATION);
            assertThat(Outcomes.error(outcome)).contains("certificate is not trusted");
        }
    }

    @Test
    void aMissingTrustStoreMayBeAddedLater() {
        Map<String, String> client = new HashMap<>(cluster.broker().clientProperties(KafkaServer.SCRAM_USER));
        client.put("ssl.truststore.location", "no-such-file.p12");
        try (Destination destination = Cluster.destination("orders", client, QUICK)) {
            Outcome outcome = Outcomes.of(destination, Sample.ofKey("key")).get(0);

            Outcomes.isUnavailable(outcome, Scope.DESTINATION);
            assertThat(Outcomes.error(outcome))
                    .contains("no-such-file.p12")
                    .doesNotContain(
                            KafkaServer.SCRAM_USER.password(), cluster.broker().trustStorePassword());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void aForbiddenTopicDoesNotHoldUpAnother(String transactional) {
        String allowed = cluster.createTopic(1);
        String forbidden = cluster.createTopic(1);
        cluster.forbid(KafkaServer.SCRAM_USER, forbidden);
        EventEnvelope first = Sample.ofKey("a");
        EventEnvelope third = Sample.ofKey("c");
        Map<String, String> settings = Map.of("transactional", transactional, "transactional-id-prefix", forbidden);
        try (Destination destination = cluster.destination(KafkaServer.SCRAM_USER, settings)) {
            List<Outcome> outcomes = Outcomes.of(
                            destination,
                            List.of(
                                    Sample.to(allowed, first),
                                    Sample.to(forbidden, Sample.ofKey("b")),
                                    Sample.to(allowed, third)))
                    .all();

            assertThat(outcomes.get(0)).isInstanceOf(Outcome.Delivered.class);
            Outcomes.isUnavailable(outcomes.get(1), Scope.ADDRESS);
            assertThat(Outcomes.error(outcomes.get(1))).contains("may not write", forbidden);
            assertThat(outcomes.get(2)).isInstanceOf(Outcome.Delivered.class);
        }
        assertThat(cluster.receivedIds(allowed, 2)).containsExactly(first.eventId(), third.eventId());
        assertThat(cluster.received(forbidden, 0)).isEmpty();
    }
}
