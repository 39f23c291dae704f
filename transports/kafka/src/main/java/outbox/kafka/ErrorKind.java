package outbox.kafka;

import java.util.List;
import java.util.Locale;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.apache.kafka.common.errors.ConcurrentTransactionsException;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.errors.NotCoordinatorException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.TransactionCoordinatorFencedException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * What the error of a record that was handed to a producer means. The first that fits counts, so that the broad classes
 * of Kafka's exceptions come last.
 */
enum Meaning {
    /** The record can never be taken. */
    REJECTED(
            RecordTooLargeException.class,
            RecordBatchTooLargeException.class,
            InvalidTopicException.class,
            InvalidRecordException.class,
            SerializationException.class),

    /** The cluster cannot be used. */
    DESTINATION(
            BufferExhaustedException.class,
            AuthenticationException.class,
            BrokerNotAvailableException.class,
            NotControllerException.class,
            CoordinatorNotAvailableException.class,
            CoordinatorLoadInProgressException.class,
            NotCoordinatorException.class,
            ConcurrentTransactionsException.class,
            TransactionCoordinatorFencedException.class,
            TransactionAbortableException.class,
            InvalidTxnTimeoutException.class,
            ProducerFencedException.class,
            InvalidProducerEpochException.class,
            SecurityDisabledException.class,
            UnsupportedVersionException.class,
            ThrottlingQuotaExceededException.class,
            ConfigException.class),

    /** The record may have been written. */
    UNANSWERED(TimeoutException.class, DisconnectException.class, NetworkException.class),

    /** The topic cannot be used: it is missing or forbidden, or it has no leader or too few replicas. */
    ADDRESS(
            TopicAuthorizationException.class,
            NotEnoughReplicasException.class,
            NotEnoughReplicasAfterAppendException.class,
            InvalidMetadataException.class),

    /** What the user may not do in the cluster. Below the topic, whose exception is of this class too. */
    FORBIDDEN(AuthorizationException.class),

    /** The producer has given the record up because of another one, or has lost count. A new producer can send it. */
    GIVEN_UP(
            OutOfOrderSequenceException.class,
            InvalidPidMappingException.class,
            InvalidTxnStateException.class,
            TransactionAbortedException.class),

    /** The attempt failed, for whatever reason. */
    FAILED();

    @SuppressWarnings("ImmutableEnumChecker") // Classes are immutable, and so is this list.
    private final List<Class<?>> errors;

    Meaning(Class<?>... errors) {
        this.errors = List.of(errors);
    }

    static Meaning of(Throwable error) {
        Throwable cause = telling(error);
        if (isAboutTime(cause)) {
            return FAILED;
        }
        for (Meaning meaning : values()) {
            if (meaning.errors.stream().anyMatch(each -> each.isInstance(cause))) {
                return meaning;
            }
        }
        // The producer says it like this of records that were in a batch with a bad one, or when it was closed.
        return cause.getClass() == KafkaException.class ? GIVEN_UP : FAILED;
    }

    /** Of several records with a bad timestamp the client says only that they are invalid; a clock can be set right. */
    private static boolean isAboutTime(Throwable cause) {
        return cause instanceof InvalidRecordException
                && String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("timestamp");
    }

    /** Clients wrap what matters in an exception that says only where it was noticed. */
    static Throwable telling(Throwable error) {
        Throwable telling = error;
        Throwable cause = error.getCause();
        while (cause != null && (telling.getClass() == KafkaException.class || cause instanceof KafkaException)) {
            telling = cause;
            cause = cause.getCause();
        }
        return telling;
    }
}
