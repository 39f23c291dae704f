package outbox.kafka;

import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;

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

    /** What an error means for a record that a producer had taken. */
    Outcome sent(PendingRecord parcel, Throwable error) {
        String text = text(parcel, error);
        return switch (Meaning.of(error)) {
            case REJECTED -> new Outcome.Rejected(text);
            case DESTINATION, FORBIDDEN -> new Outcome.Unavailable(text, Scope.DESTINATION);
            case UNANSWERED -> Outcome.Retryable.unanswered(text);
            case ADDRESS -> new Outcome.Unavailable(text, Scope.ADDRESS);
            case GIVEN_UP -> new Outcome.Unavailable(text, Scope.CALL);
            case FAILED -> new Outcome.Retryable(text, null);
        };
    }

    /** What an error means for a record that never got as far as a producer, because something else failed. */
    Outcome unsent(PendingRecord parcel, Throwable error) {
        String text = text(parcel, error);
        return switch (Meaning.of(error)) {
            case REJECTED -> new Outcome.Rejected(text);
            case DESTINATION, FORBIDDEN, UNANSWERED, GIVEN_UP -> new Outcome.Unavailable(text, Scope.DESTINATION);
            case ADDRESS -> new Outcome.Unavailable(text, Scope.ADDRESS);
            // So a topic cannot be created, or no producer be made.
            case FAILED ->
                new Outcome.Unavailable(
                        text, Meaning.telling(error) instanceof ApiException ? Scope.ADDRESS : Scope.DESTINATION);
        };
    }

    private String text(PendingRecord parcel, Throwable error) {
        String trouble = place + ", topic " + parcel.topic() + ": ";
        Throwable cause = Meaning.telling(error);
        if (cause instanceof RecordTooLargeException) {
            String said = String.valueOf(cause.getMessage());
            String limit = said.contains("max.request.size")
                    ? "this client's limit: " + said
                    : "the broker's limit (max.message.bytes of the topic, message.max.bytes of the broker): " + said;
            return redaction.in(trouble + "a message of about " + parcel.bytes() + " bytes exceeds " + limit);
        }
        return redaction.in(trouble + words(cause));
    }

    /** Of a record that could not be sent because of an earlier one of its key. */
    Outcome behind(EventEnvelope culprit) {
        return givenUp("behind event " + culprit.eventId() + " of the same key, which could not be delivered");
    }

    Outcome behind(PendingRecord culprit) {
        return behind(culprit.delivery().event());
    }

    /** Of a record that was not sent, or not to its end, because something else of the same producer failed. */
    Outcome givenUp(String why) {
        return new Outcome.Unavailable(redaction.in(place + ": " + why), Scope.CALL);
    }

    /** Of a record that cannot be sent because the cluster is not to be used. */
    Outcome unavailable(String why) {
        return new Outcome.Unavailable(redaction.in(place + ": " + why), Scope.DESTINATION);
    }

    /** What an error says about the cluster. */
    String text(@Nullable Throwable error) {
        return redaction.in(place + ": " + (error == null ? "it failed" : words(Meaning.telling(error))));
    }

    /**
     * Whether the broker has refused this very record. That counts also when its producer has ended by then: another record
     * of the batch may have ended it, and would do so again each time that both are sent.
     */
    static boolean blamesTheRecord(Throwable error) {
        return error instanceof ApiException
                && switch (Meaning.of(error)) {
                    case REJECTED, FAILED -> true;
                    case DESTINATION, UNANSWERED, ADDRESS, FORBIDDEN, GIVEN_UP -> false;
                };
    }

    /** Whether a producer that reports this can send other records all the same. */
    static boolean sparesTheProducer(Throwable error) {
        return error instanceof ApiException
                && switch (Meaning.of(error)) {
                    case REJECTED, ADDRESS, UNANSWERED, FAILED -> true;
                    case DESTINATION, FORBIDDEN, GIVEN_UP -> false;
                };
    }

    /** Whether the whole cluster cannot be used, and not only one topic of it. */
    static boolean concernsTheCluster(Throwable error) {
        return switch (Meaning.of(error)) {
            case DESTINATION, FORBIDDEN, UNANSWERED, GIVEN_UP -> true;
            case REJECTED, ADDRESS -> false;
            case FAILED -> !(Meaning.telling(error) instanceof ApiException);
        };
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
            case InvalidTopicException name -> "Kafka allows no topic of this name";
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
