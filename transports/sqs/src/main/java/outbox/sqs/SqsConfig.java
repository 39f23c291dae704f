package outbox.sqs;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.message.MessageWriter;
import outbox.message.Template;
import outbox.spi.Secret;
import outbox.spi.Settings;

/**
 * Configuration of a destination in SQS.
 *
 * @param name the destination's own, for messages and threads
 * @param queue the name or the URL of the queue; one that ends in {@code .fifo} is a FIFO queue
 * @param writer forms the messages
 */
public record SqsConfig(String name, Template queue, MessageWriter writer, Access access, Limits limits) {

    /** Prefix of CloudEvents attributes. */
    private static final String ATTRIBUTE_PREFIX = "ce-";

    /**
     * Configures the service and the credentials.
     *
     * @param region null: the SDK's default, from the environment or a profile
     * @param endpoint null: Amazon's own of the region
     * @param keys null: the SDK's default
     */
    public record Access(
            @Nullable String region,
            @Nullable URI endpoint,
            @Nullable Keys keys) {}

    /** The credentials of a fixed identity. */
    public record Keys(Secret accessKey, Secret secretKey) {}

    /**
     * Limits of time and size.
     *
     * @param timeout from the hand-over of an event to its outcome, waiting included
     * @param connectTimeout for a connection
     * @param requestsMax the number of concurrent requests
     * @param messageBytesMax the size of a message, and of a request, with its attributes
     */
    public record Limits(Duration timeout, Duration connectTimeout, int requestsMax, int messageBytesMax) {

        public static final Limits DEFAULTS = new Limits(Duration.ofSeconds(20), Duration.ofSeconds(5), 10, 1 << 20);

        public Limits {
            if (timeout.isNegative() || timeout.isZero() || connectTimeout.isNegative() || connectTimeout.isZero()) {
                throw new IllegalArgumentException(
                        "times must be positive, were timeout " + timeout + " and connect-timeout " + connectTimeout);
            }
            if (requestsMax < 1 || messageBytesMax < 1) {
                throw new IllegalArgumentException("limits must be at least 1, were requests-max " + requestsMax
                        + " and message-bytes-max " + messageBytesMax);
            }
        }
    }

    /**
     * Reads the settings.
     *
     * @throws IllegalArgumentException naming the setting that is wrong and what is allowed
     */
    public static SqsConfig from(Settings settings) {
        return new SqsConfig(
                settings.name(),
                settings.parsed("queue", Template::parse).orElseGet(() -> Template.parse("{eventType}")),
                MessageWriter.from(settings, ATTRIBUTE_PREFIX),
                access(settings),
                new Limits(
                        settings.duration("timeout", Limits.DEFAULTS.timeout()),
                        settings.duration("connect-timeout", Limits.DEFAULTS.connectTimeout()),
                        settings.number("requests-max", Limits.DEFAULTS.requestsMax(), 1, 1_000),
                        settings.number("message-bytes-max", Limits.DEFAULTS.messageBytesMax(), 1_024, 1 << 20)));
    }

    private static Access access(Settings settings) {
        URI endpoint =
                settings.parsed("endpoint", text -> endpoint(settings, text)).orElse(null);
        return new Access(settings.text("region").orElse(null), endpoint, keys(settings));
    }

    private static URI endpoint(Settings settings, String text) {
        URI uri = URI.create(text);
        boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!web || uri.getHost() == null || uri.getUserInfo() != null) {
            throw settings.wrong("endpoint", "must be a URL such as https://sqs.example.org, without a user");
        }
        return uri;
    }

    private static @Nullable Keys keys(Settings settings) {
        Optional<Secret> accessKey = settings.secret("access-key");
        Optional<Secret> secretKey = settings.secret("secret-key");
        if (accessKey.isPresent() != secretKey.isPresent()) {
            throw settings.wrong(
                    accessKey.isPresent() ? "secret-key" : "access-key",
                    "is missing; access-key and secret-key must be set together");
        }
        return accessKey.isPresent() && secretKey.isPresent() ? new Keys(accessKey.get(), secretKey.get()) : null;
    }
}
