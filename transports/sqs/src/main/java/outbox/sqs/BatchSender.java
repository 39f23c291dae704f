package outbox.sqs;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import outbox.internal.OpenCalls;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.TimeSource;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/**
 * Sends batches, each within its deadline, and limits the number of concurrent requests. It blocks the calling thread.
 */
final class BatchSender {

    private static final Outcome NOT_SENT = new Outcome.Unavailable(
            "the request failed, and no time was left to send its messages individually", Scope.CALL);

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
     * The end of a call's time, by the monotonic clock.
     *
     * @param lastStart the latest start of a request: one that cannot be answered in time may still arrive
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

    /** Sends a batch and reports the outcome of each of its messages. */
    void send(List<SqsMessage> batch, OpenCalls.Call call, Deadline deadline) {
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

    private void sendNow(List<SqsMessage> batch, OpenCalls.Call call, Deadline deadline) {
        String queue = batch.getFirst().queue();
        String url;
        try {
            url = urlOf(queue, deadline);
        } catch (RuntimeException e) {
            fail(batch, call, e, SqsFailure.ofUrlRequest(e));
            return;
        }
        try {
            batch.forEach(message -> call.markSent(message.index()));
            report(batch, call, request(url, batch, deadline));
        } catch (RuntimeException e) {
            SqsFailure failure = SqsFailure.of(e);
            if (batch.size() > 1
                    && (failure.kind() == SqsFailure.Kind.MESSAGE || failure.kind() == SqsFailure.Kind.REQUEST)) {
                sendEach(batch, call, deadline);
            } else {
                fail(batch, call, e, failure);
            }
        }
    }

    /** Sends each message alone, because one may be the cause, and only SQS knows which. */
    private void sendEach(List<SqsMessage> batch, OpenCalls.Call call, Deadline deadline) {
        for (SqsMessage message : batch) {
            if (deadline.isTooLateToStart()) {
                call.report(message.index(), NOT_SENT);
            } else {
                sendNow(List.of(message), call, deadline);
            }
        }
    }

    private void fail(List<SqsMessage> batch, OpenCalls.Call call, RuntimeException cause, SqsFailure failure) {
        String queue = batch.getFirst().queue();
        if (failure.kind() == SqsFailure.Kind.QUEUE) {
            urls.avoid(queue, cause);
        }
        batch.forEach(message -> call.report(message.index(), failure.outcome(queue)));
    }

    private SendMessageBatchResponse request(String url, List<SqsMessage> batch, Deadline deadline) {
        return client.sendMessageBatch(request -> request.queueUrl(url)
                .entries(batch.stream().map(BatchSender::entry).toList())
                .overrideConfiguration(settings -> settings.apiCallTimeout(deadline.left())));
    }

    /** Returns the URL of a queue, and looks it up if needed. */
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

    private static void report(List<SqsMessage> batch, OpenCalls.Call call, SendMessageBatchResponse response) {
        String queue = batch.getFirst().queue();
        response.failed()
                .forEach(entry -> call.report(
                        Integer.parseInt(entry.id()), SqsFailure.of(entry).outcome(queue)));
        response.successful()
                .forEach(entry -> call.report(Integer.parseInt(entry.id()), new Outcome.Delivered(queue, -1, -1)));
        Outcome missing = Outcome.Retryable.unanswered("queue " + queue + ": the response does not name this message");
        batch.forEach(message -> call.report(message.index(), missing));
    }
}
