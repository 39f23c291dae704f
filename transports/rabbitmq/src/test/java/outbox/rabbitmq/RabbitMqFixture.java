package outbox.rabbitmq;

import catbox.devservices.RabbitMqBroker;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.TimeSource;
import outbox.testkit.Await;
import outbox.testkit.TransportFixture;

/** A separate durable queue. */
final class RabbitMqFixture implements TransportFixture {

    /** Enough for the first message of a cold JVM on a busy machine. */
    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    /** Time for which the broker may keep the declaration of a queue in memory, so that a kill would lose it. */
    private static final Duration DECLARED_FOR_GOOD = Duration.ofSeconds(3);

    final String queue = "orders-" + UUID.randomUUID();
    private final RabbitMqBroker broker = RabbitMq.broker();
    private final List<GetResponse> messages = new ArrayList<>();
    private final List<Destination> destinations = new ArrayList<>();
    private final long declaredNanos;
    private boolean stopped;
    private boolean frozen;

    RabbitMqFixture() {
        this(Map.of());
    }

    /** Declares the queue with these arguments. */
    RabbitMqFixture(Map<String, Object> arguments) {
        RabbitMq.use(channel -> channel.queueDeclare(queue, true, false, false, arguments));
        this.declaredNanos = TimeSource.SYSTEM.nanoTime();
    }

    @Override
    public Destination destination() {
        if (destinations.isEmpty()) {
            destinations.add(with(Map.of()));
        }
        return destinations.getFirst();
    }

    /** Creates a destination with further settings; the caller closes it. */
    Destination with(Map<String, String> further) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "host",
                "127.0.0.1",
                "port",
                Integer.toString(broker.port()),
                "user",
                broker.user(),
                "password",
                broker.password(),
                "routing-key",
                queue,
                "confirm-timeout",
                TIMEOUT.toMillis() + "ms",
                "connect-timeout",
                "2s"));
        settings.putAll(further);
        settings.values().removeIf(String::isEmpty);
        return DestinationFactory.create("rabbitmq", "orders", settings);
    }

    @Override
    public Destination withRefusedCredentials() {
        return with(Map.of("password", WRONG_SECRET));
    }

    @Override
    public List<Received> received(int atLeast) {
        messages.addAll(take(queue, atLeast - messages.size(), patience()));
        return messages.stream().map(RabbitMqFixture::received).toList();
    }

    /** Waits for a number of messages in a queue, and takes all that are there. */
    static List<GetResponse> take(String queue, int atLeast, Duration patience) {
        return RabbitMq.use(channel -> {
            List<GetResponse> taken = new ArrayList<>();
            long start = TimeSource.SYSTEM.nanoTime();
            do {
                drain(channel, queue, taken);
            } while (taken.size() < atLeast && TimeSource.SYSTEM.nanoTime() - start < patience.toNanos());
            return taken;
        });
    }

    private static void drain(Channel channel, String queue, List<GetResponse> taken) throws IOException {
        for (GetResponse next = channel.basicGet(queue, true); next != null; next = channel.basicGet(queue, true)) {
            taken.add(next);
        }
    }

    private static Received received(GetResponse message) {
        Map<String, String> headers = new HashMap<>();
        message.getProps().getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
        return Received.of(
                message.getProps().getMessageId(), headers.get(MessageBuilder.KEY), message.getBody(), headers);
    }

    @Override
    public void stopBroker() {
        Await.until(
                "the queue is written down",
                () -> TimeSource.SYSTEM.nanoTime() - declaredNanos > DECLARED_FOR_GOOD.toNanos());
        stopped = true;
        broker.kill();
    }

    @Override
    public void startBroker() {
        broker.start();
        stopped = false;
    }

    @Override
    public void freezeBroker() {
        frozen = true;
        broker.pause();
    }

    @Override
    public void thawBroker() {
        broker.resume();
        frozen = false;
    }

    @Override
    public EventEnvelope oversized() {
        return EventEnvelope.ofJson("OrderPlaced", "\"" + "x".repeat(RabbitMq.MESSAGE_BYTES_MAX) + "\"");
    }

    @Override
    public Delivery refused(EventEnvelope event) {
        return new Delivery(event, 1, "no-such-exchange/anything", Delivery.NO_PARTITION);
    }

    @Override
    public Duration answersWithin() {
        return TIMEOUT.plusSeconds(1);
    }

    @Override
    public boolean isThreadOfBroker(Thread thread) {
        return thread.getName().startsWith("consumer-");
    }

    @Override
    public void close() {
        if (frozen) {
            thawBroker(); // A test has failed in between.
        }
        if (stopped) {
            startBroker();
        }
        destinations.forEach(Destination::close);
        RabbitMq.use(channel -> channel.queueDelete(queue));
    }
}
