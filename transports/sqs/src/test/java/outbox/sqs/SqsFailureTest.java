package outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.sqs.SqsFailure.Kind;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** Checks the table of errors in docs/destinations.md, row by row. */
final class SqsFailureTest {

    @ParameterizedTest
    @CsvSource({
        // code, status of the request, what it blames
        "QueueDoesNotExist, 400, QUEUE",
        "com.amazonaws.sqs#QueueDoesNotExist, 400, QUEUE",
        "QueueDoesNotExistException, 400, QUEUE",
        "AWS.SimpleQueueService.NonExistentQueue, 400, QUEUE",
        "AWS.SimpleQueueService.QueueDeletedRecently, 400, QUEUE",
        "InvalidAddress, 400, QUEUE",
        "UnsupportedOperation, 400, QUEUE",
        "AccessDenied, 403, QUEUE",
        "AccessDeniedException, 400, QUEUE",
        "KmsAccessDenied, 400, QUEUE",
        "KMS.DisabledException, 400, QUEUE",
        "KmsNotFound, 400, QUEUE",
        "RequestThrottled, 403, QUOTA",
        "ThrottlingException, 400, QUOTA",
        "Throttling, 503, QUOTA",
        "KmsThrottled, 400, QUOTA",
        "OverLimit, 403, QUOTA",
        "SlowDown, 503, QUOTA",
        "InvalidClientTokenId, 403, SERVICE",
        "UnrecognizedClientException, 400, SERVICE",
        "ExpiredTokenException, 400, SERVICE",
        "RequestExpired, 400, SERVICE",
        "MissingAuthenticationToken, 403, SERVICE",
        "SignatureDoesNotMatch, 403, SERVICE",
        "InvalidSignatureException, 400, SERVICE",
        "IncompleteSignature, 400, SERVICE",
        "InvalidSecurity, 403, SERVICE",
        "OptInRequired, 403, SERVICE",
        "NotAuthorized, 400, SERVICE",
        "anything, 401, SERVICE",
        "anything, 403, SERVICE",
        "anything, 407, SERVICE",
        "anything, 429, SERVICE",
        "anything, 502, SERVICE",
        "ServiceUnavailable, 503, SERVICE",
        "anything, 504, SERVICE",
        "InvalidMessageContents, 400, MESSAGE",
        "AWS.SimpleQueueService.BatchRequestTooLong, 400, MESSAGE",
        "InternalFailure, 500, SERVICE",
        "InternalError, 500, SERVICE",
        "anything, 507, SERVICE",
        "InvalidParameterValue, 400, REQUEST",
        "MissingParameter, 400, REQUEST"
    })
    void blamesWhatTheCodeIsAbout(String code, int status, Kind kind) {
        assertThat(SqsFailure.of(refusal(code, "words", status)).kind()).isEqualTo(kind);
    }

    /**
     * A request without a response.
     *
     * @param kind what it blames
     */
    record Row(RuntimeException failure, Kind kind) {}

    static List<Row> kindWithoutResponse() {
        return List.of(
                new Row(io(new ConnectException("Connection refused")), Kind.SERVICE),
                new Row(io(new IOException(new UnknownHostException("sqs"))), Kind.SERVICE),
                new Row(io(new NoRouteToHostException("x")), Kind.SERVICE),
                new Row(io(new SSLHandshakeException("x")), Kind.SERVICE),
                new Row(io(new SSLPeerUnverifiedException("x")), Kind.SERVICE),
                new Row(io(new SSLException(new CertificateException("expired"))), Kind.SERVICE),
                new Row(SdkClientException.create("Unable to load credentials"), Kind.SERVICE),
                new Row(io(new SocketTimeoutException("Read timed out")), Kind.UNANSWERED),
                new Row(io(new SocketException("Connection reset")), Kind.UNANSWERED),
                new Row(io(new SSLException("Connection reset")), Kind.UNANSWERED),
                new Row(io(new EOFException()), Kind.UNANSWERED),
                new Row(ApiCallTimeoutException.create(100), Kind.UNANSWERED),
                new Row(AbortedException.create("interrupted"), Kind.UNANSWERED));
    }

    @ParameterizedTest
    @MethodSource("kindWithoutResponse")
    void blamesNoEventForTheLackOfAnAnswer(Row row) {
        assertThat(SqsFailure.of(row.failure()).kind()).isEqualTo(row.kind());
    }

    private static SdkClientException io(IOException cause) {
        return SdkClientException.create("Unable to execute HTTP request", cause);
    }

    @Test
    void everyKindHasItsOutcome() {
        for (Kind kind : Kind.values()) {
            Outcome outcome = new SqsFailure("Code", "", kind).outcome("orders");
            String text = "queue orders: Code";
            assertThat(outcome)
                    .isEqualTo(
                            switch (kind) {
                                case MESSAGE -> new Outcome.Rejected(text);
                                case REQUEST -> new Outcome.Retryable(text, null);
                                case UNANSWERED -> Outcome.Retryable.unanswered(text);
                                case QUEUE -> new Outcome.Unavailable(text, Scope.ADDRESS);
                                case QUOTA -> new Outcome.Unavailable(text, Scope.ADDRESS, Duration.ofSeconds(2));
                                case SERVICE -> new Outcome.Unavailable(text, Scope.DESTINATION);
                            });
        }
    }

    /** It contains nothing of an event but the name of its queue. */
    @Test
    void urlRequestBlamesTheQueueOrTheService() {
        assertThat(SqsFailure.ofUrlRequest(refusal("InvalidParameterValue", "too long", 400))
                        .kind())
                .isEqualTo(Kind.QUEUE);
        assertThat(SqsFailure.ofUrlRequest(refusal("AccessDenied", "", 403)).kind())
                .isEqualTo(Kind.QUEUE);
        assertThat(SqsFailure.ofUrlRequest(refusal("InternalFailure", "", 500)).kind())
                .isEqualTo(Kind.SERVICE);
        assertThat(SqsFailure.ofUrlRequest(ApiCallTimeoutException.create(100)).kind())
                .isEqualTo(Kind.SERVICE);
        assertThat(SqsFailure.ofUrlRequest(refusal("RequestThrottled", "", 403)).kind())
                .isEqualTo(Kind.QUOTA);
    }

    @Test
    void rejectsOnlyFailuresOfTheMessage() {
        assertThat(entry("InvalidMessageContents", "Invalid characters found", true))
                .isInstanceOf(Outcome.Rejected.class);
        assertThat(entry("AWS.SimpleQueueService.BatchRequestTooLong", "", true))
                .isInstanceOf(Outcome.Rejected.class);
        assertThat(entry(
                        "InvalidParameterValue",
                        "One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes.",
                        true))
                .isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void aFailedEntryChargesItsEvent() {
        assertThat(entry("InvalidParameterValue", "The queue should have ContentBasedDeduplication", true))
                .isInstanceOf(Outcome.Retryable.class);
        assertThat(entry(null, null, true)).isInstanceOf(Outcome.Retryable.class);
    }

    @Test
    void anEntryWithoutSenderFaultBlamesTheQueue() {
        assertThat(entry("InternalError", "too long ago", false))
                .isEqualTo(new Outcome.Unavailable("queue orders: InternalError (too long ago)", Scope.ADDRESS));
        assertThat(entry("InternalFailure", "", false)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(entry(null, null, false)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(entry("ServiceUnavailable", "", false))
                .isEqualTo(new Outcome.Unavailable("queue orders: ServiceUnavailable", Scope.DESTINATION));
    }

    @Test
    void repeatsNothingOfARefusedSignature() {
        for (int status : new int[] {400, 403}) {
            RuntimeException refusal = refusal("SignatureDoesNotMatch", "The canonical string was: secret", status);

            assertThat(SqsFailure.of(refusal).outcome("orders"))
                    .isEqualTo(new Outcome.Unavailable(
                            "queue orders: SignatureDoesNotMatch (the credentials are refused)", Scope.DESTINATION));
        }
    }

    @Test
    void reportsWhyThereIsNoResponse() {
        assertThat(SqsFailure.of(io(new ConnectException("Connection refused"))).outcome("orders"))
                .isEqualTo(new Outcome.Unavailable(
                        "queue orders: no usable response (Connection refused)", Scope.DESTINATION));
    }

    @Test
    void boundsQuotedText() {
        assertThat(SqsFailure.of("X", "y".repeat(10_000), true, 400).detail()).hasSize(300);
    }

    private static AwsServiceException refusal(String code, String message, int status) {
        return SqsException.builder()
                .statusCode(status)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode(code)
                        .errorMessage(message)
                        .build())
                .build();
    }

    private static Outcome entry(String code, String message, boolean senderFault) {
        return SqsFailure.of(BatchResultErrorEntry.builder()
                        .code(code)
                        .message(message)
                        .senderFault(senderFault)
                        .build())
                .outcome("orders");
    }
}
