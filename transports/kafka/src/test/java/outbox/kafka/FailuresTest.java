package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.ConcurrentTransactionsException;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.FencedLeaderEpochException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.errors.NotCoordinatorException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Settings;

/** Checks the table in docs/destinations.md, row by row. */
final class FailuresTest {

    private final Failures failures = new Failures(KafkaConfig.from(new Settings(
                    "destination orders",
                    "orders",
                    Map.of("bootstrap-servers", "localhost:9092", "property.ssl.key.password", "hunter2")))
            .client());

    private final PendingRecord pending = new PendingRecord(
            new Delivery(Sample.ofKey("a"), 1),
            new ProducerRecord<>("invoices", new byte[10], new byte[1_000]),
            0,
            (index, outcome) -> {});

    static Stream<Arguments> theTopicIsUnavailable() {
        return Stream.of(
                Arguments.of(new UnknownTopicOrPartitionException("x"), "does not exist"),
                Arguments.of(new UnknownTopicIdException("x"), "x"),
                Arguments.of(new TopicAuthorizationException("invoices"), "may not write to the topic"),
                Arguments.of(new LeaderNotAvailableException("none"), "none"),
                Arguments.of(new NotLeaderOrFollowerException("moved"), "moved"),
                Arguments.of(new ReplicaNotAvailableException("gone"), "gone"),
                Arguments.of(new FencedLeaderEpochException("old"), "old"),
                Arguments.of(new KafkaStorageException("disk"), "disk"),
                Arguments.of(new NotEnoughReplicasException("one of two"), "one of two"),
                Arguments.of(new NotEnoughReplicasAfterAppendException("half"), "half"));
    }

    @ParameterizedTest
    @MethodSource
    void theTopicIsUnavailable(Exception error, String words) {
        assertUnavailable(failures.sent(pending, error), Scope.ADDRESS, words);
        assertUnavailable(failures.unsent(pending, error), Scope.ADDRESS, words);
        assertThat(Failures.leavesProducerUsable(error)).isTrue();
    }

    static Stream<Arguments> theClusterIsUnavailable() {
        return Stream.of(
                Arguments.of(new SaslAuthenticationException("no"), "refuses the user or password"),
                Arguments.of(new SslAuthenticationException("no"), "not trusted"),
                Arguments.of(new UnsupportedSaslMechanismException("no"), "refuses the user or password"),
                Arguments.of(new ClusterAuthorizationException("no"), "lacks a permission"),
                Arguments.of(new TransactionalIdAuthorizationException("no"), "may not use the transactional id"),
                Arguments.of(new BufferExhaustedException("full"), "full"),
                Arguments.of(new BrokerNotAvailableException("down"), "down"),
                Arguments.of(new NotControllerException("other"), "other"),
                Arguments.of(new CoordinatorNotAvailableException("none"), "none"),
                Arguments.of(new CoordinatorLoadInProgressException("loads"), "loads"),
                Arguments.of(new NotCoordinatorException("moved"), "moved"),
                Arguments.of(new ConcurrentTransactionsException("busy"), "busy"),
                Arguments.of(new TransactionAbortableException("abort"), "abort"),
                Arguments.of(new InvalidTxnTimeoutException("long"), "long"),
                Arguments.of(new ProducerFencedException("new"), "taken over the transactional id"),
                Arguments.of(new InvalidProducerEpochException("old"), "taken over the transactional id"),
                Arguments.of(new ThrottlingQuotaExceededException("slow"), "slow"),
                Arguments.of(new UnsupportedVersionException("old"), "old"),
                Arguments.of(new SecurityDisabledException("none"), "none"),
                Arguments.of(new ConfigException("No resolvable bootstrap urls"), "No resolvable"));
    }

    @ParameterizedTest
    @MethodSource
    void theClusterIsUnavailable(Exception error, String words) {
        assertUnavailable(failures.sent(pending, error), Scope.DESTINATION, words);
        assertUnavailable(failures.unsent(pending, error), Scope.DESTINATION, words);
        assertThat(Failures.leavesProducerUsable(error)).isFalse();
        assertThat(Failures.concernsTheCluster(error)).isTrue();
    }

    static Stream<Exception> theRecordMayHaveArrived() {
        return Stream.of(
                new TimeoutException("Expiring 3 record(s)"),
                new NetworkException("disconnected"),
                new DisconnectException("disconnected"));
    }

    @ParameterizedTest
    @MethodSource
    void theRecordMayHaveArrived(Exception error) {
        assertThat(failures.sent(pending, error))
                .isInstanceOfSatisfying(
                        Outcome.Retryable.class,
                        outcome -> assertThat(outcome.unanswered()).isTrue());
        assertUnavailable(failures.unsent(pending, error), Scope.DESTINATION, String.valueOf(error.getMessage()));
        assertThat(Failures.leavesProducerUsable(error)).isTrue();
    }

    static Stream<Exception> theProducerGaveItUp() {
        return Stream.of(
                new KafkaException("it was part of a batch which had one more more invalid records"),
                new TransactionAbortedException(),
                new OutOfOrderSequenceException("gap"),
                new UnknownProducerIdException("lost"),
                new InvalidPidMappingException("lost"),
                new InvalidTxnStateException("state"));
    }

    @ParameterizedTest
    @MethodSource
    void theProducerGaveItUp(Exception error) {
        assertUnavailable(failures.sent(pending, error), Scope.CALL, "Kafka orders");
        assertThat(Failures.leavesProducerUsable(error)).isFalse();
    }

    static Stream<Exception> theAttemptFailed() {
        return Stream.of(
                new UnknownServerException("bug"),
                new CorruptRecordException("crc"),
                new InvalidRecordException("Timestamp 5 of message with offset 0 is out of range"),
                new InvalidTimestampException("too old"),
                new PolicyViolationException("schema"));
    }

    @ParameterizedTest
    @MethodSource
    void theAttemptFailed(Exception error) {
        assertThat(failures.sent(pending, error))
                .isEqualTo(new Outcome.Retryable(
                        "Kafka orders at localhost:9092, topic invoices: "
                                + error.getClass().getSimpleName() + ": " + error.getMessage(),
                        null));
        assertThat(Failures.leavesProducerUsable(error)).isTrue();
    }

    @Test
    void anUncreatableTopicIsUnavailable() {
        Exception error =
                new KafkaException("the topic cannot be created", new InvalidReplicationFactorException("3 of 1"));

        assertUnavailable(failures.unsent(pending, error), Scope.ADDRESS, "3 of 1");
        assertThat(Failures.concernsTheCluster(error)).isFalse();
    }

    @Test
    void aFailingProducerConstructionIsAnOutage() {
        assertUnavailable(failures.unsent(pending, new IllegalStateException("no")), Scope.DESTINATION, "no");
    }

    @Test
    void rejectsATooLargeRecordWithItsSizeAndLimit() {
        Outcome byBroker = failures.sent(pending, new RecordTooLargeException("The request included a message"));
        Outcome byClient = failures.unsent(
                pending, new RecordTooLargeException("is 1090 bytes, larger than 100, the value of max.request.size"));
        Outcome byName = failures.unsent(pending, new InvalidTopicException("a b"));

        assertThat(byBroker).isInstanceOf(Outcome.Rejected.class);
        assertThat(Outcomes.error(byBroker)).contains("1010 bytes", "message.max.bytes");
        assertThat(Outcomes.error(byClient)).contains("1010 bytes", "larger than 100");
        assertThat(byClient).isInstanceOf(Outcome.Rejected.class);
        assertThat(byName).isInstanceOf(Outcome.Rejected.class);
        assertThat(failures.sent(pending, new RecordBatchTooLargeException("segment")))
                .isInstanceOf(Outcome.Rejected.class);
        assertThat(failures.sent(pending, new SerializationException("x"))).isInstanceOf(Outcome.Rejected.class);
        assertThat(failures.sent(
                        pending, new InvalidRecordException("Compacted topic cannot accept message without key")))
                .isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void unwrapsTheRelevantError() {
        KafkaException wrapped = new KafkaException(
                "we are in an error state", new ProducerFencedException("There is a newer producer"));

        assertUnavailable(failures.sent(pending, wrapped), Scope.DESTINATION, "There is a newer producer");
    }

    @Test
    void secretsDoNotAppear() {
        assertThat(Outcomes.error(failures.sent(pending, new NetworkException("key hunter2 was refused"))))
                .contains("key (secret) was refused");
        assertThat(Outcomes.error(failures.givenUp("hunter2"))).doesNotContain("hunter2");
    }

    private static void assertUnavailable(Outcome outcome, Scope scope, String words) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Unavailable.class, unavailable -> {
            assertThat(unavailable.scope()).isEqualTo(scope);
            assertThat(unavailable.error())
                    .startsWith("Kafka orders at localhost:9092")
                    .contains(words);
        });
    }
}
