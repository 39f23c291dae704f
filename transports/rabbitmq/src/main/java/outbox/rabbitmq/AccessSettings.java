package outbox.rabbitmq;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.rabbitmq.RabbitMqConfig.Access;
import outbox.rabbitmq.RabbitMqConfig.Login;
import outbox.rabbitmq.RabbitMqConfig.Tls;
import outbox.spi.Secret;
import outbox.spi.Settings;

/**
 * Reads how to reach the broker: as one URI, which is a secret because it contains the password, or setting by setting.
 */
record AccessSettings(Settings settings) {

    private static final List<String> PIECES = List.of("host", "port", "virtual-host", "user", "password", "tls");
    private static final int PORT = 5_672;
    private static final int TLS_PORT = 5_671;
    private static final String GUEST = "guest"; // The name and the password of a newly installed broker.

    Access read() {
        Optional<Secret> uri = settings.secret("uri");
        List<String> pieces = PIECES.stream()
                .filter(piece -> settings.text(piece).isPresent())
                .toList();
        if (uri.isPresent()) {
            if (!pieces.isEmpty()) {
                throw settings.wrong("uri", "contains everything that " + pieces + " set; use one or the other");
            }
            return ofUri(uri.get());
        }
        boolean tls = settings.flag("tls", false);
        Tls trust = tls(tls);
        return new Access(
                settings.text("host").orElse("localhost"),
                settings.number("port", tls ? TLS_PORT : PORT, 1, 65_535),
                settings.text("virtual-host").orElse("/"),
                new Login(
                        settings.text("user").orElse(GUEST),
                        settings.secret("password").orElseGet(() -> new Secret(GUEST))),
                trust);
    }

    private Access ofUri(Secret secret) {
        URI uri = parsed(secret);
        boolean tls = "amqps".equals(uri.getScheme());
        if ((!tls && !"amqp".equals(uri.getScheme())) || uri.getHost() == null) {
            throw wrongUri();
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        int port = uri.getPort() < 0 ? (tls ? TLS_PORT : PORT) : uri.getPort();
        return new Access(
                uri.getHost(), port, path.length() < 2 ? "/" : decoded(path.substring(1)), login(uri), tls(tls));
    }

    private URI parsed(Secret secret) {
        try {
            return new URI(secret.reveal());
        } catch (URISyntaxException e) {
            throw wrongUri(); // The cause is left out, because it quotes the password.
        }
    }

    private IllegalArgumentException wrongUri() {
        return settings.wrong("uri", "must have the form amqps://user:password@host:port/virtual-host");
    }

    private static Login login(URI uri) {
        String[] parts = (uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo()).split(":", 2);
        String user = parts[0].isEmpty() ? GUEST : decoded(parts[0]);
        return new Login(user, new Secret(parts.length < 2 || parts[1].isEmpty() ? GUEST : decoded(parts[1])));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private @Nullable Tls tls(boolean wanted) {
        Path trustStore = settings.parsed("trust-store", Path::of).orElse(null);
        Secret password = settings.secret("trust-store-password").orElse(null);
        boolean verify = settings.flag("verify-host-name", true);
        if (!wanted && trustStore != null) {
            throw settings.wrong("trust-store", "is set, but neither tls=true nor a uri with amqps");
        }
        return wanted ? new Tls(trustStore, password, verify) : null;
    }
}
