package outbox.sqs;

import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
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
        /** Too many requests: later, and not at once. */
        THROTTLING,
        /** The queue is not there, so what is known about it is out of date. */
        QUEUE,
        /** Everything else: the network, the service, credentials, permissions. */
        ENVIRONMENT
    }

    private static final Duration THROTTLED_PAUSE = Duration.ofSeconds(2);
    private static final int DETAIL_CHARS_MAX = 300;
    private static final int FORBIDDEN = 403;
    private static final Set<Integer> THROTTLING_STATUSES = Set.of(429, 503);
    private static final Pattern PROTOCOL_PARTS = Pattern.compile("^(AWS\\.SimpleQueueService\\.|.*#)|Exception$");
    private static final Set<String> MESSAGE_CODES =
            Set.of("InvalidMessageContents", "BatchRequestTooLong", "MessageTooLong");
    private static final Set<String> QUEUE_CODES = Set.of("NonExistentQueue", "QueueDoesNotExist");
    private static final Pattern THROTTLING_CODE = Pattern.compile("(?i).*throttl.*|OverLimit|SlowDown");
    private static final Pattern ABOUT_CONTENTS =
            Pattern.compile("(?i)shorter than|too long|too large|message (size|length)|exceeds|invalid character");

    /** Of one message in a request that was otherwise taken. */
    static Failure of(BatchResultErrorEntry entry) {
        return of(entry.code(), entry.message(), Boolean.TRUE.equals(entry.senderFault()), 0);
    }

    /** Of a whole request. */
    static Failure of(RuntimeException failure) {
        if (failure instanceof ApiCallTimeoutException) {
            return new Failure("no answer in time", "", Kind.ENVIRONMENT);
        }
        if (!(failure instanceof AwsServiceException refusal)) {
            return new Failure("no usable answer", rootMessage(failure), Kind.ENVIRONMENT);
        }
        AwsErrorDetails details = refusal.awsErrorDetails();
        if (details == null) {
            return of("status " + refusal.statusCode(), "", false, refusal.statusCode());
        }
        // What SQS says of a wrong signature repeats the request, which is no use to an operator.
        String detail = refusal.statusCode() == FORBIDDEN ? "the credentials are refused" : details.errorMessage();
        boolean senderFault = refusal.statusCode() >= 400 && refusal.statusCode() < 500;
        return of(details.errorCode(), detail, senderFault, refusal.statusCode());
    }

    static Failure of(@Nullable String code, @Nullable String detail, boolean senderFault, int status) {
        String plainCode = PROTOCOL_PARTS.matcher(code == null ? "" : code).replaceAll("");
        String said = detail == null ? "" : detail;
        Kind kind = Kind.ENVIRONMENT;
        if (THROTTLING_STATUSES.contains(status)
                || THROTTLING_CODE.matcher(plainCode).matches()) {
            kind = Kind.THROTTLING;
        } else if (QUEUE_CODES.contains(plainCode)) {
            kind = Kind.QUEUE;
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
        for (int depth = 0; depth < 50 && root.getCause() != null; depth++) {
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
            case THROTTLING -> new Outcome.Retryable(text, THROTTLED_PAUSE);
            case QUEUE, ENVIRONMENT -> new Outcome.Retryable(text, null);
        };
    }
}
