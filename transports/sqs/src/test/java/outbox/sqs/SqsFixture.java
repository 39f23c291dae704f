package outbox.sqs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.spi.Destination;
import outbox.spi.DestinationFactory;
import outbox.spi.TimeSource;
import outbox.testkit.TransportFixture;
import outbox.util.JsonCodec;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** A separate queue behind a separate proxy. */
final class SqsFixture implements TransportFixture {

    /** Enough for the first request of a cold JVM on a busy machine. */
    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    final SqsFront front = new SqsFront();
    final String queue;
    private final boolean fifo;
    private final String url;
    private final List<Message> messages = new ArrayList<>();
    private final List<Destination> destinations = new ArrayList<>();

    private SqsFixture(String suffix) {
        queue = "orders-" + UUID.randomUUID() + suffix;
        fifo = !suffix.isEmpty();
        url = createQueue(queue);
    }

    static SqsFixture standard() {
        return new SqsFixture("");
    }

    static SqsFixture fifo() {
        return new SqsFixture(".fifo");
    }

    static String createQueue(String name) {
        Map<QueueAttributeName, String> attributes =
                name.endsWith(".fifo") ? Map.of(QueueAttributeName.FIFO_QUEUE, "true") : Map.of();
        return ElasticMq.CONSUMER
                .createQueue(request -> request.queueName(name).attributes(attributes))
                .queueUrl();
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
                "queue",
                queue,
                "endpoint",
                front.address().toString(),
                "region",
                "eu-central-1",
                "access-key",
                SqsFront.ACCESS_KEY,
                "secret-key",
                "a-secret-key",
                "timeout",
                TIMEOUT.toMillis() + "ms"));
        settings.putAll(further);
        return DestinationFactory.create("sqs", "orders", settings);
    }

    @Override
    public Destination withRefusedCredentials() {
        return with(Map.of("access-key", WRONG_SECRET, "secret-key", WRONG_SECRET));
    }

    @Override
    public List<Received> received(int atLeast) {
        long start = TimeSource.SYSTEM.nanoTime();
        do {
            messages.addAll(receive(url));
        } while (messages.size() < atLeast
                && TimeSource.SYSTEM.nanoTime() - start < patience().toNanos());
        if (!fifo) {
            // A standard queue promises consumers no order; this test checks when SQS accepted the messages.
            messages.sort(Comparator.comparingLong(
                    message -> Long.parseLong(message.attributes().get(MessageSystemAttributeName.SENT_TIMESTAMP))));
        }
        return messages.stream().map(SqsFixture::received).toList();
    }

    /** Removes and returns up to ten messages of a queue. */
    static List<Message> receive(String queueUrl) {
        List<Message> received = ElasticMq.CONSUMER
                .receiveMessage(request -> request.queueUrl(queueUrl)
                        .maxNumberOfMessages(10)
                        .messageAttributeNames("All")
                        .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
                .messages();
        received.forEach(message -> ElasticMq.CONSUMER.deleteMessage(
                request -> request.queueUrl(queueUrl).receiptHandle(message.receiptHandle())));
        return received;
    }

    private static Received received(Message message) {
        Map<String, String> headers = new HashMap<>();
        message.messageAttributes().forEach((name, value) -> headers.put(name, value.stringValue()));
        String packed = headers.remove(Attributes.HEADERS);
        if (packed != null) {
            headers.putAll(JsonCodec.decode(packed));
        }
        return new Received(headers.get("outbox-event-id"), headers.get(MessageBuilder.KEY), message.body(), headers);
    }

    @Override
    public void stopBroker() {
        front.stop();
    }

    @Override
    public void startBroker() {
        front.start();
    }

    @Override
    public void freezeBroker() {
        front.freeze();
    }

    @Override
    public void thawBroker() {
        front.thaw();
    }

    @Override
    public EventEnvelope oversized() {
        return EventEnvelope.ofJson("OrderPlaced", "\"" + "x".repeat(EventEnvelope.PAYLOAD_BYTES_MAX - 2) + "\"");
    }

    @Override
    public Delivery refused(EventEnvelope event) {
        return new Delivery(event, 1, fifo ? "no-such-queue.fifo" : "no-such-queue", Delivery.NO_PARTITION);
    }

    @Override
    public Duration answersWithin() {
        return TIMEOUT.plusSeconds(1);
    }

    @Override
    public boolean isThreadOfBroker(Thread thread) {
        return ElasticMq.owns(thread);
    }

    @Override
    public void close() {
        destinations.forEach(Destination::close);
        front.close();
        ElasticMq.CONSUMER.deleteQueue(request -> request.queueUrl(url));
    }
}
