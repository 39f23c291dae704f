package outbox.sqs;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import outbox.model.Outcome;
import outbox.util.TimeSource;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** Sends batches, each within its deadline, so many at once and no more; waits on the thread that it is called on. */
final class BatchSender {

    private final SqsClient client;
    private final Duration timeout;
    private final QueueUrls urls = new QueueUrls();
    private final Semaphore permits;

    BatchSender(SqsClient client, SqsConfig.Limits limits) {
        this.client = client;
        this.timeout = limits.timeout();
        this.permits = new Semaphore(limits.requestsMax(), true);
    }

    /**
     * The end of the time for a call, by the monotonic clock.
     *
     * @param lastStart when it is too late to begin a request: one that cannot be answered in time may still arrive
     */
    record Deadline(long nanoTime, long lastStart) {

        boolean isTooLateToStart() {
            return TimeSource.SYSTEM.nanoTime() - lastStart >= 0;
        }

        Duration left() {
            return Duration.ofNanos(Math.max(1_000_000, nanoTime - TimeSource.SYSTEM.nanoTime()));
        }
    }

    Deadline deadline() {
        long now = TimeSource.SYSTEM.nanoTime();
        return new Deadline(now + timeout.toNanos(), now + timeout.toNanos() / 10 * 9);
    }

    /** Sends a batch and reports what became of each of its messages. */
    void send(List<SqsMessage> batch, Call call, Deadline deadline) {
        String queue = batch.getFirst().queue();
        try {
            if (permits.tryAcquire(deadline.left().toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    if (!deadline.isTooLateToStart()) {
                        sendNow(batch, call, deadline);
                    }
                } finally {
                    permits.release();
                }
            }
            Outcome late = new Outcome.Retryable(
                    "queue " + queue + ": no request was free within " + timeout.toMillis() + " ms", null);
            batch.forEach(message -> call.report(message.index(), late)); // Only the first report counts.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // The destination is being closed, and has reported.
        }
    }

    private void sendNow(List<SqsMessage> batch, Call call, Deadline deadline) {
        String queue = batch.getFirst().queue();
        try {
            report(batch, call, request(queue, batch, deadline));
        } catch (RuntimeException e) {
            Failure failure = Failure.of(e);
            if (failure.kind() == Failure.Kind.QUEUE) {
                urls.forget(queue);
            }
            if (failure.kind() == Failure.Kind.MESSAGE && batch.size() > 1) {
                // One of them is to blame, nothing was taken, and only SQS knows which: each is asked for by itself.
                batch.forEach(message -> sendNow(List.of(message), call, deadline));
            } else {
                batch.forEach(message -> call.report(message.index(), failure.outcome(queue)));
            }
        }
    }

    private SendMessageBatchResponse request(String queue, List<SqsMessage> batch, Deadline deadline) {
        String url = urls.of(queue, name -> lookUp(name, deadline));
        return client.sendMessageBatch(request -> request.queueUrl(url)
                .entries(batch.stream().map(BatchSender::entry).toList())
                .overrideConfiguration(settings -> settings.apiCallTimeout(deadline.left())));
    }

    private String lookUp(String queue, Deadline deadline) {
        return client.getQueueUrl(request -> request.queueName(queue)
                        .overrideConfiguration(settings -> settings.apiCallTimeout(deadline.left())))
                .queueUrl();
    }

    private static SendMessageBatchRequestEntry entry(SqsMessage message) {
        Map<String, MessageAttributeValue> attributes = new LinkedHashMap<>();
        message.attributes()
                .forEach((name, value) -> attributes.put(
                        name,
                        MessageAttributeValue.builder()
                                .dataType("String")
                                .stringValue(value)
                                .build()));
        SendMessageBatchRequestEntry.Builder entry = SendMessageBatchRequestEntry.builder()
                .id(Integer.toString(message.index()))
                .messageBody(message.body())
                .messageAttributes(attributes);
        SqsMessage.Order order = message.order();
        if (order != null) {
            entry.messageGroupId(order.group()).messageDeduplicationId(order.deduplication());
        }
        return entry.build();
    }

    private static void report(List<SqsMessage> batch, Call call, SendMessageBatchResponse response) {
        String queue = batch.getFirst().queue();
        response.failed()
                .forEach(entry -> call.report(
                        Integer.parseInt(entry.id()), Failure.of(entry).outcome(queue)));
        response.successful()
                .forEach(entry -> call.report(Integer.parseInt(entry.id()), new Outcome.Delivered(queue, -1, -1)));
        Outcome unsaid = new Outcome.Retryable("queue " + queue + ": the answer does not name this message", null);
        batch.forEach(message -> call.report(message.index(), unsaid));
    }
}
