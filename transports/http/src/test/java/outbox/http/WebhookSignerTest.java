package outbox.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.spi.Secret;

class WebhookSignerTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    /** The example that other libraries of the specification use in their tests. */
    @Test
    void signsTheExampleOfTheSpecification() {
        byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);

        assertThat(new WebhookSigner(List.of(new Secret(SECRET)))
                        .sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void signsOnceForEachSecret() {
        WebhookSigner both = new WebhookSigner(List.of(
                new Secret(SECRET), new Secret("whsec_" + Base64.getEncoder().encodeToString(new byte[64]))));

        assertThat(both.sign("a", 1, new byte[0]).split(" ")).hasSize(2).doesNotHaveDuplicates();
        assertThat(both).hasToString("WebhookSigner[2 secrets]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_c2hvcnQ=", "whsec_***not base64***"})
    void refusesSecretsInAnotherForm(String secret) {
        assertThatThrownBy(() -> new WebhookSigner(List.of(new Secret(SECRET), new Secret(secret))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("number 2")
                .hasMessageContaining("24 to 64 bytes")
                .satisfies(
                        thrown -> assertThat(String.valueOf(thrown)).doesNotContain("MfKQ", "c2hvcnQ", "not base64"));
    }
}
