package outbox.sqs;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import outbox.internal.Causes;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;

/**
 * A rejection by SQS, or a missing response.
 *
 * @param code of SQS, without the parts that vary between its protocols
 * @param detail the text for operators
 * @param kind what the failure concerns
 */
record SqsFailure(String code, String detail, Kind kind) {

    /** What a failure concerns. */
    enum Kind {
        /** This message: no later attempt can succeed. */
        MESSAGE,
        /** This request, and the response names no cause. The messages of a batch are sent individually. */
        REQUEST,
        /** The request was sent, and there is no response. */
        UNANSWERED,
        /** The queue: it or its encryption key is missing, or writing is forbidden. */
        QUEUE,
        /** The queue's quota is exceeded: it accepts messages later. */
        QUOTA,
        /** The whole service: it is unreachable, rejects the credentials or has failed. */
        SERVICE
    }

    private static final Duration THROTTLED_PAUSE = Duration.ofSeconds(2);
    private static final int DETAIL_CHARS_MAX = 300;
    private static final Set<Integer> REFUSED_STATUSES = Set.of(401, 403, 407);
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERRORS = 500;
    private static final Pattern PROTOCOL_PARTS = Pattern.compile("^(AWS\\.SimpleQueueService\\.|.*#)|Exception$");
    private static final Set<String> MESSAGE_CODES =
            Set.of("InvalidMessageContents", "BatchRequestTooLong", "MessageTooLong");
    private static final Pattern QUEUE_CODE = Pattern.compile("NonExistentQueue|QueueDoesNotExist|QueueDeletedRecently"
            + "|AccessDenied|InvalidAddress|UnsupportedOperation|(?i)kms.*");
    private static final Pattern LOGIN_CODE =
            Pattern.compile("UnrecognizedClient|InvalidClientTokenId|InvalidAccessKeyId"
                    + "|ExpiredToken|RequestExpired|MissingAuthenticationToken|(Incomplete|Invalid)Signature"
                    + "|SignatureDoesNotMatch|InvalidSecurity|OptInRequired|NotAuthorized");
    private static final Pattern THROTTLING_CODE = Pattern.compile("(?i).*throttl.*|OverLimit|SlowDown");
    private static final Pattern CONTENTS_PROBLEM =
            Pattern.compile("(?i)shorter than|too long|too large|message (size|length)|exceeds|invalid character");

    /** Connection errors of the HTTP client below the SDK, which is not a dependency of this module. */
    private static final Set<String> NO_CONNECTION =
            Set.of("ConnectTimeoutException", "ConnectionRequestTimeoutException");

    /**
     * Classifies the failure of one message in a request that was otherwise accepted. SQS does not read message
     * contents, so an entry that is not the sender's fault is one that the queue could not accept.
     */
    static SqsFailure of(BatchResultErrorEntry entry) {
        boolean senderFault = Boolean.TRUE.equals(entry.senderFault());
        SqsFailure classified = of(entry.code(), entry.message(), senderFault, 0);
        return senderFault || classified.kind != Kind.REQUEST
                ? classified
                : new SqsFailure(classified.code, classified.detail, Kind.QUEUE);
    }

    /** Classifies the failure of a queue URL request, which contains nothing of an event. */
    static SqsFailure ofUrlRequest(RuntimeException failure) {
        SqsFailure classified = of(failure);
        boolean refused = failure instanceof AwsServiceException refusal && refusal.statusCode() < SERVER_ERRORS;
        return switch (classified.kind) {
            case QUEUE, QUOTA, SERVICE -> classified;
            case MESSAGE, REQUEST, UNANSWERED ->
                new SqsFailure(classified.code, classified.detail, refused ? Kind.QUEUE : Kind.SERVICE);
        };
    }

    /** Classifies the failure of a whole request. */
    static SqsFailure of(RuntimeException failure) {
        if (failure instanceof ApiCallTimeoutException || failure instanceof AbortedException) {
            return new SqsFailure("no response in time", "", Kind.UNANSWERED);
        }
        if (!(failure instanceof AwsServiceException refusal)) {
            return new SqsFailure("no usable response", rootMessage(failure), kindWithoutResponse(failure));
        }
        AwsErrorDetails details = refusal.awsErrorDetails();
        if (details == null) {
            return of("status " + refusal.statusCode(), "", false, refusal.statusCode());
        }
        boolean senderFault = refusal.statusCode() >= 400 && refusal.statusCode() < SERVER_ERRORS;
        return of(details.errorCode(), details.errorMessage(), senderFault, refusal.statusCode());
    }

    /** An error without an I/O error in its causes, such as missing credentials, occurred before anything was sent. */
    private static Kind kindWithoutResponse(RuntimeException failure) {
        boolean unsent = Causes.isBeforeSending(failure)
                || Causes.of(failure).stream()
                        .anyMatch(
                                cause -> NO_CONNECTION.contains(cause.getClass().getSimpleName()));
        return unsent || !Causes.has(failure, IOException.class) ? Kind.SERVICE : Kind.UNANSWERED;
    }

    static SqsFailure of(@Nullable String code, @Nullable String detail, boolean senderFault, int status) {
        String plainCode = PROTOCOL_PARTS.matcher(code == null ? "" : code).replaceAll("");
        String text = detail == null ? "" : detail;
        Kind kind = Kind.REQUEST;
        if (THROTTLING_CODE.matcher(plainCode).matches()) {
            kind = Kind.QUOTA;
        } else if (QUEUE_CODE.matcher(plainCode).matches()) {
            kind = Kind.QUEUE;
        } else if (LOGIN_CODE.matcher(plainCode).matches() || REFUSED_STATUSES.contains(status)) {
            kind = Kind.SERVICE;
            text = "the credentials are refused"; // The message of SQS for a wrong signature repeats the request.
        } else if (status == TOO_MANY_REQUESTS || status >= SERVER_ERRORS || plainCode.equals("ServiceUnavailable")) {
            kind = Kind.SERVICE;
        } else if (senderFault && concernsContents(plainCode, text)) {
            kind = Kind.MESSAGE;
        }
        return new SqsFailure(
                plainCode, text.length() > DETAIL_CHARS_MAX ? text.substring(0, DETAIL_CHARS_MAX) : text, kind);
    }

    /**
     * Returns whether an invalid parameter is part of the message, which no later attempt repairs. An operator can
     * repair most other invalid parameters, and only the text distinguishes them.
     */
    private static boolean concernsContents(String code, String detail) {
        return MESSAGE_CODES.contains(code)
                || (code.equals("InvalidParameterValue")
                        && CONTENTS_PROBLEM.matcher(detail).find());
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = Causes.root(failure);
        String message = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        return message.length() > DETAIL_CHARS_MAX ? message.substring(0, DETAIL_CHARS_MAX) : message;
    }

    /** Returns the outcome of a message for this queue. */
    Outcome outcome(String queue) {
        String text = "queue " + queue + ": " + code + (detail.isEmpty() ? "" : " (" + detail + ")");
        return switch (kind) {
            case MESSAGE -> new Outcome.Rejected(text);
            case REQUEST -> new Outcome.Retryable(text, null);
            case UNANSWERED -> Outcome.Retryable.unanswered(text);
            case QUEUE -> new Outcome.Unavailable(text, Scope.ADDRESS);
            case QUOTA -> new Outcome.Unavailable(text, Scope.ADDRESS, THROTTLED_PAUSE);
            case SERVICE -> new Outcome.Unavailable(text, Scope.DESTINATION);
        };
    }
}
