package outbox.sqs;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.TimeSource;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** Sends batches, each within its deadline, so many at once and no more; waits on the thread that it is called on. */
final class BatchSender {

    private static final Outcome NOT_SENT = new Outcome.Unavailable(
            "the request failed, and there was no time to ask for its messages one by one", Scope.CALL);

    private final SqsClient client;
    private final Duration timeout;
    private final QueueUrls urls = new QueueUrls(TimeSource.SYSTEM);
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
            Outcome late = new Outcome.Unavailable(
                    "queue " + queue + ": no request was free within " + timeout.toMillis() + " ms", Scope.DESTINATION);
            batch.forEach(message -> call.report(message.index(), late)); // Only the first report counts.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // The destination is being closed, and has reported.
        }
    }

    private void sendNow(List<SqsMessage> batch, Call call, Deadline deadline) {
        String queue = batch.getFirst().queue();
        String url;
        try {
            url = urlOf(queue, deadline);
        } catch (RuntimeException e) {
            fail(batch, call, e, Failure.ofLookUp(e));
            return;
        }
        try {
            batch.forEach(message -> call.asks(message.index()));
            report(batch, call, request(url, batch, deadline));
        } catch (RuntimeException e) {
            Failure failure = Failure.of(e);
            if (batch.size() > 1
                    && (failure.kind() == Failure.Kind.MESSAGE || failure.kind() == Failure.Kind.REQUEST)) {
                sendEach(batch, call, deadline);
            } else {
                fail(batch, call, e, failure);
            }
        }
    }

    /** One of the messages may be to blame, nothing was taken, and only SQS knows which: each is asked for alone. */
    private void sendEach(List<SqsMessage> batch, Call call, Deadline deadline) {
        for (SqsMessage message : batch) {
            if (deadline.isTooLateToStart()) {
                call.report(message.index(), NOT_SENT);
            } else {
                sendNow(List.of(message), call, deadline);
            }
        }
    }

    private void fail(List<SqsMessage> batch, Call call, RuntimeException cause, Failure failure) {
        String queue = batch.getFirst().queue();
        if (failure.kind() == Failure.Kind.QUEUE) {
            urls.avoid(queue, cause);
        }
        batch.forEach(message -> call.report(message.index(), failure.outcome(queue)));
    }

    private SendMessageBatchResponse request(String url, List<SqsMessage> batch, Deadline deadline) {
        return client.sendMessageBatch(request -> request.queueUrl(url)
                .entries(batch.stream().map(BatchSender::entry).toList())
                .overrideConfiguration(settings -> settings.apiCallTimeout(deadline.left())));
    }

    /** The URL of a queue, which is looked up if it is not known yet. */
    private String urlOf(String queue, Deadline deadline) {
        return urls.of(
                queue,
                name -> client.getQueueUrl(request -> request.queueName(name)
                                .overrideConfiguration(settings -> settings.apiCallTimeout(deadline.left())))
                        .queueUrl());
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
        Outcome unsaid = Outcome.Retryable.unanswered("queue " + queue + ": the answer does not name this message");
        batch.forEach(message -> call.report(message.index(), unsaid));
    }
}
