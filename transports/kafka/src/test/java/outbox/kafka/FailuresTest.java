package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.util.Settings;

final class FailuresTest {

    private final Failures failures = new Failures(KafkaConfig.from(new Settings(
                    "destination orders",
                    "orders",
                    Map.of("bootstrap-servers", "localhost:9092", "property.ssl.key.password", "hunter2")))
            .client());

    private final Parcel parcel = new Parcel(
            new Delivery(Sample.ofKey("a"), 1),
            new ProducerRecord<>("invoices", new byte[10], new byte[1_000]),
            0,
            (index, outcome) -> {});

    static Stream<Arguments> retryable() {
        return Stream.of(
                Arguments.of(new UnknownTopicOrPartitionException("x"), "does not exist", true),
                Arguments.of(new TopicAuthorizationException("invoices"), "may not write to the topic", true),
                Arguments.of(new ClusterAuthorizationException("no"), "lacks a permission", false),
                Arguments.of(new NotEnoughReplicasException("one of two"), "one of two", true),
                Arguments.of(
                        new TransactionalIdAuthorizationException("no"), "may not use the transactional id", false),
                Arguments.of(new SaslAuthenticationException("no"), "refuses the user or password", false),
                Arguments.of(new SslAuthenticationException("no"), "not trusted", false),
                Arguments.of(
                        new TimeoutException("late"), "may be down or out of reach: TimeoutException: late", false),
                Arguments.of(new BufferExhaustedException("full"), "full", false),
                Arguments.of(new NetworkException("gone"), "gone", false),
                Arguments.of(new NotEnoughReplicasAfterAppendException("half"), "half", false),
                Arguments.of(new ProducerFencedException("new"), "taken over the transactional id", false),
                Arguments.of(new InvalidProducerEpochException("old"), "taken over the transactional id", false),
                Arguments.of(new OutOfOrderSequenceException("gap"), "gap", false),
                Arguments.of(new IllegalStateException(), "IllegalStateException", false));
    }

    @ParameterizedTest
    @MethodSource("retryable")
    void whatMayWorkLaterIsRetryable(Exception error, String words, boolean definite) {
        Outcome outcome = failures.outcome(parcel, error);

        assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
        assertThat(Outcomes.error(outcome)).startsWith("Kafka orders at localhost:9092, topic invoices: ");
        assertThat(Outcomes.error(outcome)).contains(words);
        assertThat(Failures.isDefinite(error)).isEqualTo(definite);
    }

    @Test
    void whatCanNeverWorkIsRejectedWithItsSizeAndLimit() {
        Outcome byBroker = failures.outcome(parcel, new RecordTooLargeException("The request included a message"));
        Outcome byClient = failures.outcome(
                parcel, new RecordTooLargeException("is 1090 bytes, larger than 100, the value of max.request.size"));
        Outcome byName = failures.outcome(parcel, new InvalidTopicException("a b"));

        assertThat(byBroker).isInstanceOf(Outcome.Rejected.class);
        assertThat(Outcomes.error(byBroker)).contains("1010 bytes", "message.max.bytes");
        assertThat(Outcomes.error(byClient)).contains("1010 bytes", "larger than 100");
        assertThat(byClient).isInstanceOf(Outcome.Rejected.class);
        assertThat(byName).isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void findsTheErrorThatAnotherIsWrappedAround() {
        KafkaException wrapped = new KafkaException(
                "we are in an error state", new ProducerFencedException("There is a newer producer"));

        assertThat(Outcomes.error(failures.retryable(wrapped))).contains("taken over", "newer producer");
    }

    @Test
    void secretsDoNotAppear() {
        assertThat(Outcomes.error(failures.outcome(parcel, new NetworkException("key hunter2 was refused"))))
                .contains("key (secret) was refused");
    }
}
