package outbox.sqs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
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
 * <p>Order in a FIFO queue is kept by having one event of a key under way: SQS takes the messages of a request one by
 * one, so a refused one would otherwise land behind its successors. An event whose answer was lost is sent again with
 * the same deduplication id, of which a FIFO queue takes no second one for five minutes.
 */
public final class SqsDestination implements Destination, Checkable {

    private static final Outcome CLOSED = new Outcome.Unavailable("the destination is closed", Scope.CALL);
    private static final Outcome CUT_OFF =
            Outcome.Retryable.unanswered("the destination was closed before SQS answered");
    /** This says nothing about SQS. */
    private static final Outcome BUSY = new Outcome.Unavailable("too many calls are in flight", Scope.CALL);

    /** The events of a refused call would otherwise come back as fast as they are refused. */
    private static final Duration BUSY_PAUSE = Duration.ofMillis(100);

    private static final int CALLS_MAX = 10_000;
    private static final int KEYS_PER_CALL_MAX = 100;
    private static final long BYTES_IN_FLIGHT_MAX = 32L << 20;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final SqsConfig config;
    private final MessageFormer former;
    private final SqsClient client;
    private final BatchSender sender;
    private final ExecutorService threads;
    private final Set<Call> open = ConcurrentHashMap.newKeySet();

    /** Held while a call joins the open ones, so that none joins after they were told of the end. */
    private final ReentrantLock door = new ReentrantLock();

    /** Guarded by the door. */
    private boolean closed;

    public SqsDestination(SqsConfig config) {
        this.config = config;
        this.former = new MessageFormer(config);
        this.client = SqsClients.create(config);
        this.sender = new BatchSender(client, config.limits());
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("outbox-sqs-" + config.name() + "-", 0).factory());
    }

    /** One event of a key at a time, and twice as many as the requests under way can hold. */
    @Override
    public DestinationTraits traits() {
        int events = 2 * config.limits().requestsMax() * Batches.MESSAGES_MAX;
        return new DestinationTraits(1, KEYS_PER_CALL_MAX, Integer.MAX_VALUE, events, BYTES_IN_FLIGHT_MAX);
    }

    @Override
    public String addressOf(Delivery delivery) {
        return former.queueOf(delivery);
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        Call call = new Call(deliveries.size(), receipt, open);
        List<SqsMessage> messages = new ArrayList<>();
        for (int index = 0; index < deliveries.size(); index++) {
            try {
                messages.add(former.message(index, deliveries.get(index)));
            } catch (IllegalArgumentException e) {
                call.report(index, new Outcome.Rejected(String.valueOf(e.getMessage())));
            }
        }
        if (messages.isEmpty()) {
            return;
        }
        Outcome refusal = begin(call, Batches.of(messages, config.limits().messageBytesMax()));
        if (BUSY.equals(refusal)) {
            CompletableFuture.delayedExecutor(BUSY_PAUSE.toMillis(), TimeUnit.MILLISECONDS, threads)
                    .execute(() -> call.reportRest(BUSY, BUSY));
        } else if (refusal != null) {
            call.reportRest(refusal, refusal);
        }
    }

    /** Starts the requests, or says why not. */
    private @Nullable Outcome begin(Call call, List<List<SqsMessage>> batches) {
        door.lock();
        try {
            if (closed || open.size() >= CALLS_MAX) {
                return closed ? CLOSED : BUSY;
            }
            open.add(call);
            BatchSender.Deadline deadline = sender.deadline();
            batches.forEach(batch -> threads.execute(() -> sender.send(batch, call, deadline)));
            return null;
        } finally {
            door.unlock();
        }
    }

    /**
     * Asks for the URL of the queue, on a connection that is kept; where the name depends on the event, for that of a queue
     * that need not be there. SQS that answers about a queue works, whatever it says of this one.
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
            Failure failure = Failure.ofLookUp(e);
            if (failure.kind() == Failure.Kind.SERVICE) {
                throw new OutboxException("SQS: " + failure.code() + " (" + failure.detail() + ")", e);
            }
        }
    }

    @Override
    public void close() {
        door.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            door.unlock();
        }
        open.forEach(call -> call.reportRest(CUT_OFF, CLOSED));
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
