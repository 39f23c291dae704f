package outbox.rabbitmq;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import outbox.message.MessageWriter;
import outbox.message.Template;
import outbox.spi.Secret;
import outbox.spi.Settings;

/**
 * Configuration of a destination in RabbitMQ.
 *
 * @param name the destination's own, for messages, threads and the connection's name
 * @param writer forms the messages
 */
public record RabbitMqConfig(String name, Publishing publishing, MessageWriter writer, Access access, Limits limits) {

    /** Prefix of CloudEvents attributes. */
    private static final String ATTRIBUTE_PREFIX = "cloudEvents_";

    /**
     * Configures publishing.
     *
     * @param exchange null: the default exchange, where a routing key is the name of a queue
     * @param persistent whether the broker writes messages to disk
     * @param mandatory whether a message that no queue accepts is returned and counts as not delivered
     */
    public record Publishing(@Nullable Template exchange, Template routingKey, boolean persistent, boolean mandatory) {}

    /**
     * Configures the connection and the login.
     *
     * @param tls null: no TLS
     */
    public record Access(
            String host,
            int port,
            String virtualHost,
            Login login,
            @Nullable Tls tls) {

        public Access {
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("port must be from 1 to 65535, was " + port);
            }
        }
    }

    public record Login(String user, Secret password) {}

    /**
     * Configures trust.
     *
     * @param trustStore null: the JDK's default
     * @param trustStorePassword null: the store has none
     */
    public record Tls(@Nullable Path trustStore, @Nullable Secret trustStorePassword, boolean verifyHostName) {}

    /**
     * Time limits.
     *
     * @param confirmTimeout from the hand-over of an event to its outcome
     * @param connectTimeout for a connection, and for its handshake
     * @param heartbeat time without traffic after which a connection is checked; whole seconds
     */
    public record Limits(Duration confirmTimeout, Duration connectTimeout, Duration heartbeat) {

        public static final Limits DEFAULTS =
                new Limits(Duration.ofSeconds(20), Duration.ofSeconds(5), Duration.ofSeconds(10));

        public Limits {
            if (!isPositive(confirmTimeout) || !isPositive(connectTimeout) || heartbeat.toSeconds() < 1) {
                throw new IllegalArgumentException("times must be positive and heartbeat at least 1 s, were"
                        + " confirm-timeout " + confirmTimeout + ", connect-timeout " + connectTimeout
                        + " and heartbeat " + heartbeat);
            }
        }

        private static boolean isPositive(Duration time) {
            return !time.isNegative() && !time.isZero();
        }
    }

    /**
     * Reads the settings.
     *
     * @throws IllegalArgumentException naming the setting that is wrong and what is allowed
     */
    public static RabbitMqConfig from(Settings settings) {
        Publishing publishing = new Publishing(
                settings.parsed("exchange", Template::parse).orElse(null),
                settings.parsed("routing-key", Template::parse).orElseGet(() -> Template.parse("{eventType}")),
                settings.flag("persistent", true),
                settings.flag("mandatory", true));
        Duration heartbeat = settings.duration("heartbeat", Limits.DEFAULTS.heartbeat());
        if (heartbeat.toSeconds() < 1) {
            throw settings.wrong("heartbeat", "must be at least 1s");
        }
        Limits limits = new Limits(
                settings.duration("confirm-timeout", Limits.DEFAULTS.confirmTimeout()),
                settings.duration("connect-timeout", Limits.DEFAULTS.connectTimeout()),
                heartbeat);
        return new RabbitMqConfig(
                settings.name(),
                publishing,
                MessageWriter.from(settings, ATTRIBUTE_PREFIX),
                new AccessSettings(settings).read(),
                limits);
    }
}
