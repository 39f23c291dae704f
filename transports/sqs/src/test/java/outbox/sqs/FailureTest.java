package outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.model.Outcome;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SqsException;

final class FailureTest {

    @Test
    void rejectsWhatIsAboutThisMessage() {
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
    void retriesWhatAnOperatorCanRepair() {
        assertThat(entry("InvalidParameterValue", "The queue should have ContentBasedDeduplication", true))
                .isInstanceOf(Outcome.Retryable.class);
        assertThat(entry("KmsAccessDenied", "no access to the key", true)).isInstanceOf(Outcome.Retryable.class);
        assertThat(entry("InternalError", "too long ago", false)).isInstanceOf(Outcome.Retryable.class);
        assertThat(entry(null, null, false)).isInstanceOf(Outcome.Retryable.class);
    }

    @Test
    void pausesWhenThrottled() {
        Outcome.Retryable pause = new Outcome.Retryable("queue orders: RequestThrottled (slow)", Duration.ofSeconds(2));

        assertThat(entry("RequestThrottled", "slow", true)).isEqualTo(pause);
        assertThat(Failure.of("ThrottlingException", "", true, 400).kind()).isEqualTo(Failure.Kind.THROTTLING);
        assertThat(Failure.of("ServiceUnavailable", "", false, 503).kind()).isEqualTo(Failure.Kind.THROTTLING);
        assertThat(Failure.of("anything", "", true, 429).kind()).isEqualTo(Failure.Kind.THROTTLING);
    }

    @Test
    void knowsAMissingQueueByAllItsNames() {
        assertThat(Failure.of("com.amazonaws.sqs#QueueDoesNotExist", "", true, 400)
                        .kind())
                .isEqualTo(Failure.Kind.QUEUE);
        assertThat(Failure.of("AWS.SimpleQueueService.NonExistentQueue", "", true, 400)
                        .kind())
                .isEqualTo(Failure.Kind.QUEUE);
        assertThat(Failure.of("QueueDoesNotExistException", "", true, 400).kind())
                .isEqualTo(Failure.Kind.QUEUE);
    }

    @Test
    void repeatsNothingOfARefusedSignature() {
        RuntimeException refusal = SqsException.builder()
                .statusCode(403)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode("SignatureDoesNotMatch")
                        .errorMessage("The canonical string was: secret")
                        .build())
                .build();

        assertThat(Failure.of(refusal).outcome("orders"))
                .isEqualTo(new Outcome.Retryable(
                        "queue orders: SignatureDoesNotMatch (the credentials are refused)", null));
    }

    @Test
    void saysWhyThereWasNoAnswer() {
        RuntimeException unreachable =
                SdkClientException.create("Unable to execute HTTP request", new ConnectException("Connection refused"));

        assertThat(Failure.of(unreachable).outcome("orders"))
                .isEqualTo(new Outcome.Retryable("queue orders: no usable answer (Connection refused)", null));
    }

    @Test
    void boundsWhatItQuotes() {
        assertThat(Failure.of("X", "y".repeat(10_000), true, 400).detail()).hasSize(300);
    }

    private static Outcome entry(String code, String message, boolean senderFault) {
        return Failure.of(BatchResultErrorEntry.builder()
                        .code(code)
                        .message(message)
                        .senderFault(senderFault)
                        .build())
                .outcome("orders");
    }
}
