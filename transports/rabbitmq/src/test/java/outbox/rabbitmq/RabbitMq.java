package outbox.rabbitmq;

import catbox.devservices.RabbitMqBroker;
import catbox.devservices.RabbitMqServer;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The broker of all tests in this JVM, with a connection for consumers. */
final class RabbitMq {

    static final int MESSAGE_BYTES_MAX = 500_000;

    private static RabbitMqBroker broker;

    private RabbitMq() {}

    /** An action of a consumer on a channel. */
    @FunctionalInterface
    interface Use<T> {
        T on(Channel channel) throws Exception;
    }

    /** Starts the broker on first use. Skips the test, with a message, where RabbitMQ cannot be installed. */
    static synchronized RabbitMqBroker broker() {
        Optional<String> reason = RabbitMqServer.unavailableReason();
        reason.ifPresent(sentence -> System.err.println("!!! SKIPPED: all tests with RabbitMQ. " + sentence));
        Assumptions.assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
        if (broker == null) {
            broker = RabbitMqServer.start(Map.of("max_message_size", Integer.toString(MESSAGE_BYTES_MAX)));
            Runtime.getRuntime().addShutdownHook(new Thread(broker::close));
        }
        return broker;
    }

    static <T> T use(Use<T> use) {
        return use(broker(), use);
    }

    static <T> T use(RabbitMqBroker broker, Use<T> use) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(broker.port());
        factory.setUsername(broker.user());
        factory.setPassword(broker.password());
        factory.setThreadFactory(
                Thread.ofPlatform().daemon().name("consumer-", 0).factory());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            return use.on(channel);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
