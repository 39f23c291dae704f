package outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.message.MessageForm;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.Settings;

final class SqsConfigTest {

    @Test
    void hasDefaults() {
        SqsConfig config = config(Map.of());

        assertThat(config.queue()).hasToString("{eventType}");
        assertThat(config.access()).isEqualTo(new SqsConfig.Access(null, null, null));
        assertThat(config.limits())
                .isEqualTo(new SqsConfig.Limits(Duration.ofSeconds(20), Duration.ofSeconds(5), 10, 1_048_576));
        assertThat(config.writer().form()).isEqualTo(MessageForm.PLAIN);
    }

    @Test
    void showsNoSecret() {
        SqsConfig config = config(Map.of("access-key", "the-access-key", "secret-key", "the-secret-key"));

        assertThat(config.toString()).doesNotContain("the-access-key", "the-secret-key");
    }

    @Test
    void requiresBothKeysOrNone() {
        assertThatThrownBy(() -> config(Map.of("access-key", "the-access-key")))
                .hasMessageContaining("destination orders: setting secret-key is missing")
                .hasMessageNotContaining("the-access-key");
        assertThatThrownBy(() -> config(Map.of("secret-key", "the-secret-key")))
                .hasMessageContaining("setting access-key is missing")
                .hasMessageNotContaining("the-secret-key");
    }

    @Test
    void namesInvalidSettings() {
        assertThatThrownBy(() -> config(Map.of("endpoint", "sqs.example.org")))
                .hasMessageContaining("endpoint must be");
        assertThatThrownBy(() -> config(Map.of("endpoint", "https://user:word@sqs")))
                .hasMessageContaining("endpoint must be")
                .hasMessageNotContaining("word");
        assertThatThrownBy(() -> config(Map.of("queue", "{unknown}"))).hasMessageContaining("setting queue");
        assertThatThrownBy(() -> config(Map.of("requests-max", "0"))).hasMessageContaining("requests-max");
        assertThatThrownBy(() -> config(Map.of("message-bytes-max", "2000000")))
                .hasMessageContaining("message-bytes-max");
    }

    @Test
    void isFoundByItsKindAndReadsEverySetting() {
        Map<String, String> settings = Map.of(
                "queue", "orders",
                "region", "eu-central-1",
                "endpoint", "http://127.0.0.1:1",
                "timeout", "5s",
                "connect-timeout", "1s",
                "requests-max", "3",
                "form", "cloudevents",
                "source", "/shop");

        try (Destination destination = DestinationFactory.create("sqs", "orders", settings)) {
            assertThat(destination.traits().eventsPerKeyMax()).isEqualTo(1);
            assertThat(destination.traits().eventsInFlightMax()).isEqualTo(60);
            assertThat(destination).hasToString("SQS destination orders");
        }
        assertThatThrownBy(
                        () -> DestinationFactory.create("sqs", "orders", Map.of("region", "eu-central-1", "quue", "x")))
                .hasMessageContaining("quue");
    }

    private static SqsConfig config(Map<String, String> settings) {
        return SqsConfig.from(new Settings("destination orders", "orders", settings));
    }
}
