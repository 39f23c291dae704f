package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.rabbitmq.RabbitMqConfig.Access;
import outbox.rabbitmq.RabbitMqConfig.Login;
import outbox.rabbitmq.RabbitMqConfig.Tls;
import outbox.spi.DestinationFactory;
import outbox.spi.Secret;
import outbox.spi.Settings;

final class RabbitMqConfigTest {

    @Test
    void hasDefaults() {
        RabbitMqConfig config = config(Map.of());

        assertThat(config.access())
                .isEqualTo(new Access("localhost", 5_672, "/", new Login("guest", new Secret("guest")), null));
        assertThat(config.publishing().exchange()).isNull();
        assertThat(config.publishing().routingKey()).hasToString("{eventType}");
        assertThat(config.publishing().persistent()).isTrue();
        assertThat(config.publishing().mandatory()).isTrue();
        assertThat(config.limits().confirmTimeout()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void readsAUri() {
        assertThat(config(Map.of("uri", "amqp://anna:p%40ss+word@broker:1234/my%2Fhost"))
                        .access())
                .isEqualTo(new Access("broker", 1_234, "my/host", new Login("anna", new Secret("p@ss+word")), null));
        assertThat(config(Map.of("uri", "amqps://broker")).access())
                .isEqualTo(new Access(
                        "broker", 5_671, "/", new Login("guest", new Secret("guest")), new Tls(null, null, true)));
    }

    @Test
    void readsTls() {
        Access access = config(Map.of(
                        "tls", "true",
                        "trust-store", "/etc/trusted.p12",
                        "trust-store-password", "the-password",
                        "verify-host-name", "false"))
                .access();

        assertThat(access.port()).isEqualTo(5_671);
        assertThat(access.tls()).isEqualTo(new Tls(Path.of("/etc/trusted.p12"), new Secret("the-password"), false));
    }

    @Test
    void showsNoSecret() {
        assertThat(config(Map.of("uri", "amqp://anna:the-password@broker")).toString())
                .doesNotContain("the-password");
        assertThat(config(Map.of("password", "the-password")).toString()).doesNotContain("the-password");
    }

    @Test
    void namesInvalidSettingsAndShowsNoSecret() {
        assertThatThrownBy(() -> config(Map.of("uri", "http://anna:the-password@broker")))
                .hasMessageContaining("setting uri must have the form")
                .hasMessageNotContaining("the-password");
        assertThatThrownBy(() -> config(Map.of("uri", "amqp://anna:the-password@bro ker")))
                .hasMessageContaining("setting uri must have the form")
                .hasNoCause();
        assertThatThrownBy(() -> config(Map.of("uri", "amqp://broker", "host", "other")))
                .hasMessageContaining("[host]");
        assertThatThrownBy(() -> config(Map.of("trust-store", "/etc/trusted.p12")))
                .hasMessageContaining("trust-store is set, but neither tls");
        assertThatThrownBy(() -> config(Map.of("heartbeat", "10ms"))).hasMessageContaining("heartbeat");
        assertThatThrownBy(() -> config(Map.of("exchange", "{nothing}"))).hasMessageContaining("setting exchange");
        assertThatThrownBy(() -> DestinationFactory.create("rabbitmq", "orders", Map.of("hots", "x")))
                .hasMessageContaining("hots");
        assertThatThrownBy(() -> DestinationFactory.create(
                        "rabbitmq", "orders", Map.of("tls", "true", "trust-store", "/no/such/file")))
                .hasMessageContaining("destination orders: setting trust-store cannot be used");
    }

    private static RabbitMqConfig config(Map<String, String> settings) {
        return RabbitMqConfig.from(new Settings("destination orders", "orders", settings));
    }
}
