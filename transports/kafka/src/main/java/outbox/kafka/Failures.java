package outbox.kafka;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.Outcome;

/** What Kafka's errors mean for an event, in words for an operator. */
final class Failures {

    private static final String TAKEN_OVER =
            "another producer has taken over the transactional id, as the new owner of a slot does: ";

    private final String place;
    private final Redaction redaction;

    Failures(ClientProperties client) {
        this.place = "Kafka " + client.clientId() + " at " + client.bootstrapServers();
        this.redaction = client.redaction();
    }

    /** The cluster, as errors name it. */
    String place() {
        return place;
    }

    /** What an error means for one record. */
    Outcome outcome(Parcel parcel, Throwable error) {
        String topic = parcel.topic();
        Throwable cause = telling(error);
        String trouble = place + ", topic " + topic + ": ";
        if (cause instanceof RecordTooLargeException) {
            String limit = String.valueOf(cause.getMessage()).contains("max.request.size")
                    ? "this client's limit: " + cause.getMessage()
                    : "the broker's limit (max.message.bytes of the topic, message.max.bytes of the broker)";
            return new Outcome.Rejected(trouble + "a message of about " + parcel.bytes() + " bytes exceeds " + limit);
        }
        if (cause instanceof InvalidTopicException) {
            return new Outcome.Rejected(trouble + "Kafka allows no topic of this name");
        }
        if (cause instanceof SerializationException) {
            return new Outcome.Rejected(trouble + words(cause));
        }
        return retryable(trouble + words(cause));
    }

    /** What the failure of an event means for those behind it of the same key. */
    Outcome behind(EventEnvelope culprit) {
        return retryable(
                place + ": behind event " + culprit.eventId() + " of the same key, which could not be delivered");
    }

    Outcome behind(Parcel culprit) {
        return behind(culprit.delivery().event());
    }

    /** What an error means for whatever was under way. */
    Outcome retryable(Throwable error) {
        return new Outcome.Retryable(text(error), null);
    }

    /** What an error says about the cluster. */
    String text(@Nullable Throwable error) {
        return redaction.in(place + ": " + (error == null ? "it failed" : words(telling(error))));
    }

    /** Something that may work later. */
    Outcome retryable(String text) {
        return new Outcome.Retryable(redaction.in(text), null);
    }

    /**
     * Whether the record cannot have been written and nothing else is affected. After any other error it may have been,
     * or may still be.
     */
    static boolean isDefinite(Throwable error) {
        return error instanceof RecordTooLargeException
                || error instanceof InvalidTopicException
                || error instanceof SerializationException
                || error instanceof UnknownTopicOrPartitionException
                || error instanceof TopicAuthorizationException
                || error instanceof NotEnoughReplicasException
                || error instanceof PolicyViolationException;
    }

    /** Whether the record is at fault, and no later attempt can help. */
    static boolean isRejection(Throwable error) {
        return error instanceof RecordTooLargeException
                || error instanceof InvalidTopicException
                || error instanceof SerializationException;
    }

    /** Whether the whole cluster cannot be used, and not only one topic of it. */
    static boolean concernsTheCluster(Throwable error) {
        Throwable cause = telling(error);
        return cause instanceof TimeoutException
                || cause instanceof AuthenticationException
                || cause instanceof NetworkException
                || !(cause instanceof ApiException);
    }

    /** Clients wrap what matters in an exception that says only where it was noticed. */
    private static Throwable telling(Throwable error) {
        Throwable telling = error;
        Throwable cause = error.getCause();
        while (cause != null && (telling.getClass() == KafkaException.class || cause instanceof KafkaException)) {
            telling = cause;
            cause = cause.getCause();
        }
        return telling;
    }

    private static String words(Throwable error) {
        String said = said(error);
        return switch (error) {
            case UnknownTopicOrPartitionException missing ->
                "the topic does not exist; an operator can create it, or the setting create-topics=true lets it be created";
            case SslAuthenticationException tls ->
                "no TLS connection: the broker's certificate is not trusted, or this client's is refused: " + said
                        + (error.getCause() == null
                                ? ""
                                : ", " + error.getCause().getMessage());
            case AuthenticationException refused -> "the broker refuses the user or password: " + said;
            case TopicAuthorizationException denied -> "this user may not write to the topic: " + said;
            case TransactionalIdAuthorizationException denied -> "this user may not use the transactional id: " + said;
            case AuthorizationException denied -> "this user lacks a permission: " + said;
            case ProducerFencedException fenced -> TAKEN_OVER + said;
            case InvalidProducerEpochException fenced -> TAKEN_OVER + said;
            case TimeoutException late -> "no answer in time, the broker may be down or out of reach: " + said;
            default -> said;
        };
    }

    private static String said(Throwable error) {
        @Nullable String message = error.getMessage();
        String name = error.getClass().getSimpleName();
        return message == null ? name : name + ": " + message;
    }
}
