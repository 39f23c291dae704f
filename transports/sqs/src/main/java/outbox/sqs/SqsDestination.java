package outbox.sqs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import outbox.OutboxException;
import outbox.internal.OpenCalls;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Checkable;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Delivers to queues of SQS, in requests of up to ten messages, each on a virtual thread of its own.
 *
 * <p>A FIFO queue keeps order because only one event of a key is in flight: SQS accepts the messages of a request one
 * by one, so a rejected one would otherwise land behind its successors. An event whose response was lost is sent again
 * with the same deduplication id, and a FIFO queue accepts no second message with that id for five minutes.
 */
public final class SqsDestination implements Destination, Checkable {

    private static final Outcome CLOSED = new Outcome.Unavailable("the destination is closed", Scope.CALL);
    private static final Outcome CUT_OFF =
            Outcome.Retryable.unanswered("the destination was closed before SQS responded");
    /** This does not concern SQS. */
    private static final Outcome BUSY = new Outcome.Unavailable("too many calls are in flight", Scope.CALL);

    /** Delay before a refused call is reported, so that it is not repeated as fast as it is refused. */
    private static final Duration BUSY_PAUSE = Duration.ofMillis(100);

    private static final int CALLS_MAX = 10_000;
    private static final int KEYS_PER_CALL_MAX = 100;
    private static final long BYTES_IN_FLIGHT_MAX = 32L << 20;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final SqsConfig config;
    private final MessageBuilder builder;
    private final SqsClient client;
    private final BatchSender sender;
    private final ExecutorService threads;
    private final OpenCalls calls = new OpenCalls(CALLS_MAX);

    public SqsDestination(SqsConfig config) {
        this.config = config;
        this.builder = new MessageBuilder(config);
        this.client = SqsClients.create(config);
        this.sender = new BatchSender(client, config.limits());
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("outbox-sqs-" + config.name() + "-", 0).factory());
    }

    /** One event of a key at a time, and twice as many events as the concurrent requests can hold. */
    @Override
    public DestinationTraits traits() {
        int events = 2 * config.limits().requestsMax() * Batches.MESSAGES_MAX;
        return new DestinationTraits(1, KEYS_PER_CALL_MAX, Integer.MAX_VALUE, events, BYTES_IN_FLIGHT_MAX);
    }

    @Override
    public String addressOf(Delivery delivery) {
        return builder.queueOf(delivery);
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        OpenCalls.Call call = calls.call(deliveries.size(), receipt);
        List<SqsMessage> messages = new ArrayList<>();
        for (int index = 0; index < deliveries.size(); index++) {
            try {
                messages.add(builder.message(index, deliveries.get(index)));
            } catch (IllegalArgumentException e) {
                call.report(index, new Outcome.Rejected(String.valueOf(e.getMessage())));
            }
        }
        if (messages.isEmpty()) {
            return;
        }
        List<List<SqsMessage>> batches = Batches.of(messages, config.limits().messageBytesMax());
        switch (calls.start(call, () -> begin(call, batches))) {
            case STARTED -> {}
            case CLOSED -> call.reportRest(CLOSED, CLOSED);
            case TOO_MANY ->
                CompletableFuture.delayedExecutor(BUSY_PAUSE.toMillis(), TimeUnit.MILLISECONDS, threads)
                        .execute(() -> call.reportRest(BUSY, BUSY));
        }
    }

    private void begin(OpenCalls.Call call, List<List<SqsMessage>> batches) {
        BatchSender.Deadline deadline = sender.deadline();
        batches.forEach(batch -> threads.execute(() -> sender.send(batch, call, deadline)));
    }

    /**
     * Requests the queue's URL, on a connection that stays open. If the name depends on the event, it requests the URL
     * of a queue that may be missing. SQS works if it responds, whatever it reports about the queue.
     */
    @Override
    public void check(Duration timeout) {
        String queue = config.queue().isFixed() ? config.queue().toString() : "outbox-check";
        boolean isUrl = queue.startsWith("https://") || queue.startsWith("http://");
        String name = isUrl ? queue.substring(queue.lastIndexOf('/') + 1) : queue;
        try {
            client.getQueueUrl(request ->
                    request.queueName(name).overrideConfiguration(override -> override.apiCallTimeout(timeout)));
        } catch (SdkException e) {
            SqsFailure failure = SqsFailure.ofUrlRequest(e);
            if (failure.kind() == SqsFailure.Kind.SERVICE) {
                throw new OutboxException("SQS: " + failure.code() + " (" + failure.detail() + ")", e);
            }
        }
    }

    @Override
    public void close() {
        if (!calls.close(CUT_OFF, CLOSED)) {
            return;
        }
        threads.shutdownNow();
        client.close();
        try {
            threads.awaitTermination(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "SQS destination " + config.name();
    }
}
