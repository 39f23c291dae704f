package outbox.sqs;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;

/**
 * A refusal by SQS, or the lack of an answer, in few words.
 *
 * @param code as SQS calls it, without what varies between its protocols
 * @param detail what it says for people
 * @param kind what follows from it
 */
record Failure(String code, String detail, Kind kind) {

    /** What a failure is about. */
    enum Kind {
        /** This message: no later attempt can succeed. */
        MESSAGE,
        /** This request, and nothing says what else; where it had several messages, each is asked for alone. */
        REQUEST,
        /** The request was sent, and there is no answer. */
        UNANSWERED,
        /** The queue: it is not there, its key is not, or it may not be written to. */
        QUEUE,
        /** The queue, which gets more than its quota allows: later, and not at once. */
        QUOTA,
        /** All of SQS: it cannot be reached, refuses the credentials or cannot work. */
        SERVICE
    }

    private static final Duration THROTTLED_PAUSE = Duration.ofSeconds(2);
    private static final int DETAIL_CHARS_MAX = 300;
    private static final int CAUSES_MAX = 50;
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
    private static final Pattern ABOUT_CONTENTS =
            Pattern.compile("(?i)shorter than|too long|too large|message (size|length)|exceeds|invalid character");

    /** What ends an attempt before anything is sent. TLS that breaks later may have been broken by a message. */
    private static final List<Class<? extends Exception>> BEFORE_SENDING = List.of(
            UnknownHostException.class,
            ConnectException.class,
            NoRouteToHostException.class,
            SSLHandshakeException.class,
            SSLPeerUnverifiedException.class,
            CertificateException.class);

    /** The same, of the HTTP client below the SDK, which is not ours to depend on. */
    private static final Set<String> NO_CONNECTION =
            Set.of("ConnectTimeoutException", "ConnectionRequestTimeoutException");

    /**
     * Of one message in a request that was otherwise taken. SQS does not read what is in a message, so an entry that is
     * not the sender's fault is one that the queue could not take.
     */
    static Failure of(BatchResultErrorEntry entry) {
        boolean senderFault = Boolean.TRUE.equals(entry.senderFault());
        Failure seen = of(entry.code(), entry.message(), senderFault, 0);
        return senderFault || seen.kind != Kind.REQUEST ? seen : new Failure(seen.code, seen.detail, Kind.QUEUE);
    }

    /** Of a request for the queue's URL, which nothing of an event is sent with. */
    static Failure ofLookUp(RuntimeException failure) {
        Failure seen = of(failure);
        boolean refused = failure instanceof AwsServiceException refusal && refusal.statusCode() < SERVER_ERRORS;
        return switch (seen.kind) {
            case QUEUE, QUOTA, SERVICE -> seen;
            case MESSAGE, REQUEST, UNANSWERED ->
                new Failure(seen.code, seen.detail, refused ? Kind.QUEUE : Kind.SERVICE);
        };
    }

    /** Of a whole request. */
    static Failure of(RuntimeException failure) {
        if (failure instanceof ApiCallTimeoutException || failure instanceof AbortedException) {
            return new Failure("no answer in time", "", Kind.UNANSWERED);
        }
        if (!(failure instanceof AwsServiceException refusal)) {
            return new Failure("no usable answer", rootMessage(failure), withoutAnswer(failure));
        }
        AwsErrorDetails details = refusal.awsErrorDetails();
        if (details == null) {
            return of("status " + refusal.statusCode(), "", false, refusal.statusCode());
        }
        boolean senderFault = refusal.statusCode() >= 400 && refusal.statusCode() < SERVER_ERRORS;
        return of(details.errorCode(), details.errorMessage(), senderFault, refusal.statusCode());
    }

    /** What has no I/O error in it, such as the lack of credentials, has failed before anything was sent. */
    private static Kind withoutAnswer(RuntimeException failure) {
        Kind kind = Kind.SERVICE;
        Throwable cause = failure;
        for (int depth = 0; depth < CAUSES_MAX && cause != null; depth++) {
            Throwable each = cause;
            if (BEFORE_SENDING.stream().anyMatch(before -> before.isInstance(each))
                    || NO_CONNECTION.contains(each.getClass().getSimpleName())) {
                return Kind.SERVICE;
            }
            kind = each instanceof IOException ? Kind.UNANSWERED : kind;
            cause = cause.getCause();
        }
        return kind;
    }

    static Failure of(@Nullable String code, @Nullable String detail, boolean senderFault, int status) {
        String plainCode = PROTOCOL_PARTS.matcher(code == null ? "" : code).replaceAll("");
        String said = detail == null ? "" : detail;
        Kind kind = Kind.REQUEST;
        if (THROTTLING_CODE.matcher(plainCode).matches()) {
            kind = Kind.QUOTA;
        } else if (QUEUE_CODE.matcher(plainCode).matches()) {
            kind = Kind.QUEUE;
        } else if (LOGIN_CODE.matcher(plainCode).matches() || REFUSED_STATUSES.contains(status)) {
            kind = Kind.SERVICE;
            said = "the credentials are refused"; // What SQS says of a wrong signature repeats the request.
        } else if (status == TOO_MANY_REQUESTS || status >= SERVER_ERRORS || plainCode.equals("ServiceUnavailable")) {
            kind = Kind.SERVICE;
        } else if (senderFault && isAboutContents(plainCode, said)) {
            kind = Kind.MESSAGE;
        }
        return new Failure(
                plainCode, said.length() > DETAIL_CHARS_MAX ? said.substring(0, DETAIL_CHARS_MAX) : said, kind);
    }

    /** A parameter may be wrong for many reasons, most of which an operator can repair; only the text tells which. */
    private static boolean isAboutContents(String code, String detail) {
        return MESSAGE_CODES.contains(code)
                || (code.equals("InvalidParameterValue")
                        && ABOUT_CONTENTS.matcher(detail).find());
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = failure;
        for (int depth = 0; depth < CAUSES_MAX && root.getCause() != null; depth++) {
            root = root.getCause();
        }
        String message = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        return message.length() > DETAIL_CHARS_MAX ? message.substring(0, DETAIL_CHARS_MAX) : message;
    }

    /** What becomes of a message for this queue. */
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
