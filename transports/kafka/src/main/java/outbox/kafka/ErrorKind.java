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

/** Classifies the error of a record. The first kind that matches applies, so broad classes come last. */
enum ErrorKind {
    /** The broker can never accept the record. */
    REJECTED(
            RecordTooLargeException.class,
            RecordBatchTooLargeException.class,
            InvalidTopicException.class,
            InvalidRecordException.class,
            SerializationException.class),

    /** The cluster is unusable. */
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

    /** The topic is unusable: it is missing or forbidden, or has no leader or too few replicas. */
    ADDRESS(
            TopicAuthorizationException.class,
            NotEnoughReplicasException.class,
            NotEnoughReplicasAfterAppendException.class,
            InvalidMetadataException.class),

    /** The user lacks a permission in the cluster. Checked after the topic, whose exception is a subclass. */
    FORBIDDEN(AuthorizationException.class),

    /** The producer has given up the record because of another one. A new producer can send it. */
    GIVEN_UP(
            OutOfOrderSequenceException.class,
            InvalidPidMappingException.class,
            InvalidTxnStateException.class,
            TransactionAbortedException.class),

    /** The attempt failed for any other reason. */
    FAILED();

    @SuppressWarnings("ImmutableEnumChecker") // Classes are immutable, and so is this list.
    private final List<Class<?>> errors;

    ErrorKind(Class<?>... errors) {
        this.errors = List.of(errors);
    }

    static ErrorKind of(Throwable error) {
        Throwable cause = causeOf(error);
        if (isAboutTime(cause)) {
            return FAILED;
        }
        for (ErrorKind meaning : values()) {
            if (meaning.errors.stream().anyMatch(each -> each.isInstance(cause))) {
                return meaning;
            }
        }
        // The producer reports this for records in a batch with an invalid one, and after it was closed.
        return cause.getClass() == KafkaException.class ? GIVEN_UP : FAILED;
    }

    /**
     * Returns whether the error is a wrong timestamp, which a corrected clock repairs. For several records with a wrong
     * timestamp, the client only reports that they are invalid.
     */
    private static boolean isAboutTime(Throwable cause) {
        return cause instanceof InvalidRecordException
                && String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("timestamp");
    }

    /** Returns the relevant cause. Clients wrap it in an exception that only names where the error was noticed. */
    static Throwable causeOf(Throwable error) {
        Throwable relevant = error;
        Throwable cause = error.getCause();
        while (cause != null && (relevant.getClass() == KafkaException.class || cause instanceof KafkaException)) {
            relevant = cause;
            cause = cause.getCause();
        }
        return relevant;
    }
}
