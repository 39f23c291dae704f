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

/** Converts Kafka's errors to outcomes, with a text for operators. */
final class Failures {

    private static final String TAKEN_OVER =
            "another producer has taken over the transactional id, as the new owner of a partition does: ";

    private final String place;
    private final Redaction redaction;

    Failures(ClientProperties client) {
        this.place = "Kafka " + client.clientId() + " at " + client.bootstrapServers();
        this.redaction = client.redaction();
    }

    /** Returns the cluster's name for error messages. */
    String place() {
        return place;
    }

    /** Converts the error of a record that a producer had accepted. */
    Outcome sent(PendingRecord pending, Throwable error) {
        String text = text(pending, error);
        return switch (ErrorKind.of(error)) {
            case REJECTED -> new Outcome.Rejected(text);
            case DESTINATION, FORBIDDEN -> new Outcome.Unavailable(text, Scope.DESTINATION);
            case UNANSWERED -> Outcome.Retryable.unanswered(text);
            case ADDRESS -> new Outcome.Unavailable(text, Scope.ADDRESS);
            case GIVEN_UP -> new Outcome.Unavailable(text, Scope.CALL);
            case FAILED -> new Outcome.Retryable(text, null);
        };
    }

    /** Converts the error of a record that never reached a producer, because something else failed. */
    Outcome unsent(PendingRecord pending, Throwable error) {
        String text = text(pending, error);
        return switch (ErrorKind.of(error)) {
            case REJECTED -> new Outcome.Rejected(text);
            case DESTINATION, FORBIDDEN, UNANSWERED, GIVEN_UP -> new Outcome.Unavailable(text, Scope.DESTINATION);
            case ADDRESS -> new Outcome.Unavailable(text, Scope.ADDRESS);
            // A topic could not be created, or a producer could not be constructed.
            case FAILED ->
                new Outcome.Unavailable(
                        text, ErrorKind.causeOf(error) instanceof ApiException ? Scope.ADDRESS : Scope.DESTINATION);
        };
    }

    private String text(PendingRecord pending, Throwable error) {
        String problem = place + ", topic " + pending.topic() + ": ";
        Throwable cause = ErrorKind.causeOf(error);
        if (cause instanceof RecordTooLargeException) {
            String said = String.valueOf(cause.getMessage());
            String limit = said.contains("max.request.size")
                    ? "this client's limit: " + said
                    : "the broker's limit (max.message.bytes of the topic, message.max.bytes of the broker): " + said;
            return redaction.in(problem + "a message of about " + pending.bytes() + " bytes exceeds " + limit);
        }
        return redaction.in(problem + words(cause));
    }

    /** Returns the outcome of a record that could not be sent because of an earlier record of its key. */
    Outcome behind(EventEnvelope failed) {
        return givenUp("behind event " + failed.eventId() + " of the same key, which could not be delivered");
    }

    Outcome behind(PendingRecord failed) {
        return behind(failed.delivery().event());
    }

    /** Returns the outcome of a record that was not sent because the same producer failed. */
    Outcome givenUp(String why) {
        return new Outcome.Unavailable(redaction.in(place + ": " + why), Scope.CALL);
    }

    /** Returns the outcome of a record that cannot be sent because the cluster is unusable. */
    Outcome unavailable(String why) {
        return new Outcome.Unavailable(redaction.in(place + ": " + why), Scope.DESTINATION);
    }

    /** Describes an error of the cluster. */
    String text(@Nullable Throwable error) {
        return redaction.in(place + ": " + (error == null ? "the request failed" : words(ErrorKind.causeOf(error))));
    }

    /**
     * Returns whether the broker has rejected this particular record. That counts even if its producer has ended by
     * then: another record of the batch may have ended it, and would do so each time that both are sent.
     */
    static boolean rejectsTheRecord(Throwable error) {
        return error instanceof ApiException
                && switch (ErrorKind.of(error)) {
                    case REJECTED, FAILED -> true;
                    case DESTINATION, UNANSWERED, ADDRESS, FORBIDDEN, GIVEN_UP -> false;
                };
    }

    /** Returns whether a producer that reports this error can still send other records. */
    static boolean leavesProducerUsable(Throwable error) {
        return error instanceof ApiException
                && switch (ErrorKind.of(error)) {
                    case REJECTED, ADDRESS, UNANSWERED, FAILED -> true;
                    case DESTINATION, FORBIDDEN, GIVEN_UP -> false;
                };
    }

    /** Returns whether the error concerns the whole cluster, not only one topic. */
    static boolean concernsTheCluster(Throwable error) {
        return switch (ErrorKind.of(error)) {
            case DESTINATION, FORBIDDEN, UNANSWERED, GIVEN_UP -> true;
            case REJECTED, ADDRESS -> false;
            case FAILED -> !(ErrorKind.causeOf(error) instanceof ApiException);
        };
    }

    private static String words(Throwable error) {
        String said = said(error);
        return switch (error) {
            case UnknownTopicOrPartitionException missing ->
                "the topic does not exist; an operator can create it, or the setting create-topics=true creates it automatically";
            case SslAuthenticationException tls ->
                "no TLS connection: the broker's certificate is not trusted, or this client's is rejected: " + said
                        + (error.getCause() == null
                                ? ""
                                : ", " + error.getCause().getMessage());
            case InvalidTopicException name -> "Kafka does not allow this topic name";
            case AuthenticationException refused -> "the broker refuses the user or password: " + said;
            case TopicAuthorizationException denied -> "this user may not write to the topic: " + said;
            case TransactionalIdAuthorizationException denied -> "this user may not use the transactional id: " + said;
            case AuthorizationException denied -> "this user lacks a permission: " + said;
            case ProducerFencedException fenced -> TAKEN_OVER + said;
            case InvalidProducerEpochException fenced -> TAKEN_OVER + said;
            case TimeoutException late -> "no answer in time, the broker may be down or unreachable: " + said;
            default -> said;
        };
    }

    private static String said(Throwable error) {
        @Nullable String message = error.getMessage();
        String name = error.getClass().getSimpleName();
        return message == null ? name : name + ": " + message;
    }
}
