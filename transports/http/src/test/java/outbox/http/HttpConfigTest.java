package outbox.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.message.MessageForm;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;

class HttpConfigTest {

    @Test
    void hasTheDefaultsThatTheDocsName() {
        HttpConfig config = HttpConfig.from(Attempts.settings("base-url", "https://api.example.com"));

        assertThat(config.target().baseUrl()).hasToString("https://api.example.com");
        assertThat(config.target().path()).hasToString("/api/events/batch");
        assertThat(config.target().token()).isNull();
        assertThat(config.target().headers()).isEmpty();
        assertThat(config.target().version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(config.framing().mode()).isEqualTo(HttpFraming.Mode.BATCH);
        assertThat(config.framing().batchSize()).isEqualTo(100);
        assertThat(config.framing().writer().form()).isEqualTo(MessageForm.PLAIN);
        assertThat(config.answers().finalStatuses()).isEmpty();
        assertThat(config.answers().itemResults()).isFalse();
        assertThat(config.limits())
                .isEqualTo(new HttpConfig.Limits(Duration.ofSeconds(10), Duration.ofSeconds(30), 10));
        assertThat(config.addresses().allowPrivate()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "base-url | ftp://a | http:// or https://",
                "base-url | /only/a/path | http:// or https://",
                "base-url | https://user:pass-7@a | user or password",
                "base-url | https://a?x=1 | query",
                "base-url | https://a b | must be a URL",
                "path | {nonsense} | allowed are",
                "mode | bulk | [batch, single]",
                "batch-size | 0 | from 1 to 10000",
                "connect-timeout | soon | must be a time",
                "request-timeout | 0s | not zero",
                "final-statuses | 400,teapot | statuses from 300 to 599",
                "final-statuses | 200 | statuses from 300 to 599",
                "item-results | yes | true or false",
                "keys-in-flight | 0 | from 1",
                "form | xml | plain",
                "form | cloudevents | needs mode single",
                "signing-secrets | whsec_c2hvcnQ= | 24 to 64 bytes",
                "signing-secrets | whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw | needs mode single",
                "http-version | 3 | 1.1 or 2",
                "allowed-networks | 10.0.0.0/99 | address block",
                "allow-private-addresses | maybe | true or false",
                "header.Host | evil | cannot be set",
                "header.bad name | x | cannot be set",
                "token | bad\u00e9token-7 | printable ASCII"
            })
    void complaintsNameTheSettingAndWhatIsAllowed(String setting, String value, String allowed) {
        String[] settings = setting.equals("base-url")
                ? new String[] {setting, value}
                : new String[] {"base-url", "https://a", setting, value};

        assertThatThrownBy(() -> HttpConfig.from(Attempts.settings(settings)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("destination test: setting ")
                .hasMessageContaining(setting.replaceFirst("\\..*", ""))
                .hasMessageContaining(allowed)
                .satisfies(thrown -> assertThat(String.valueOf(thrown)).doesNotContain("pass-7", "token-7", "MfKQ"));
    }

    @Test
    void itemResultsNeedBatches() {
        assertThatThrownBy(() -> HttpConfig.from(
                        Attempts.settings("base-url", "https://a", "mode", "single", "item-results", "true")))
                .hasMessageContaining("item-results needs mode batch");
    }

    @Test
    void secretsAreNotShown() {
        HttpConfig config = HttpConfig.from(Attempts.settings(
                "base-url",
                "https://a",
                "token",
                "s3cret-token",
                "header.X-Key",
                "s3cret-header",
                "mode",
                "single",
                "signing-secrets",
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));

        assertThat(config.toString()).doesNotContain("s3cret", "MfKQ").contains("(secret)", "https://a");
    }

    @Test
    void factoryIsFoundAndRefusesUnknownSettings() {
        try (Destination destination = DestinationFactory.create("http", "a", Map.of("base-url", "https://a"))) {
            assertThat(destination).isInstanceOf(HttpDestination.class);
        }
        assertThatThrownBy(
                        () -> DestinationFactory.create("http", "a", Map.of("base-url", "https://a", "batchsize", "1")))
                .hasMessageContaining("destination a: unknown settings [batchsize]")
                .hasMessageContaining("batch-size")
                .hasMessageContaining("header.*");
    }
}
