package outbox.rabbitmq;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import outbox.OutboxException;
import outbox.internal.OpenCalls;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Checkable;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;

/**
 * Publishes to RabbitMQ with confirms, over channels that one thread writes to. A call only queues its messages for
 * that thread. A separate timer reports an outcome for each in time, even if that thread is blocked.
 */
public final class RabbitMqDestination implements Destination, Checkable {

    private static final Outcome CLOSED = new Outcome.Unavailable("the destination is closed", Scope.CALL);
    private static final Outcome CUT_OFF =
            Outcome.Retryable.unanswered("the destination was closed before the broker confirmed");
    /** This does not concern the broker. */
    private static final Outcome BUSY = new Outcome.Unavailable("too many messages wait to be sent", Scope.CALL);

    private static final int WAITING_MAX = 20_000;

    /** Delay before refused messages are reported, so that they are not repeated as fast as they are refused. */
    private static final Duration BUSY_PAUSE = Duration.ofMillis(100);

    private static final Duration CLOSE_STEP = Duration.ofSeconds(2);

    private final RabbitMqConfig config;
    private final MessageBuilder builder;
    private final Connector connector;
    private final Publisher publisher;
    private final Thread thread;
    private final ScheduledThreadPoolExecutor deadlines;
    private final OpenCalls calls = new OpenCalls(Integer.MAX_VALUE);

    public RabbitMqDestination(RabbitMqConfig config) {
        String threadName = "outbox-rabbitmq-" + config.name();
        this.config = config;
        this.builder = new MessageBuilder(config);
        this.connector = new Connector(config);
        this.publisher = new Publisher(
                connector, config.publishing().mandatory(), WAITING_MAX, pending -> refuse(List.of(pending)));
        this.deadlines = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name(threadName + "-deadlines").factory());
        this.deadlines.setRemoveOnCancelPolicy(true);
        this.thread =
                Thread.ofPlatform().daemon().name(threadName + "-publisher").start(publisher);
    }

    @Override
    public DestinationTraits traits() {
        return DestinationTraits.streaming();
    }

    @Override
    public String addressOf(Delivery delivery) {
        return Route.of(delivery, config.publishing()).toString();
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        OpenCalls.Call call = calls.call(deliveries.size(), receipt);
        List<PendingMessage> messages = new ArrayList<>();
        for (int index = 0; index < deliveries.size(); index++) {
            try {
                messages.add(new PendingMessage(call, index, builder.message(deliveries.get(index))));
            } catch (IllegalArgumentException e) {
                call.report(index, new Outcome.Rejected(String.valueOf(e.getMessage())));
            }
        }
        if (messages.isEmpty()) {
            return;
        }
        if (calls.start(call, () -> expireLater(call)) != OpenCalls.Start.STARTED) {
            call.reportRest(CLOSED, CLOSED);
            return;
        }
        for (int n = 0; n < messages.size(); n++) {
            if (!publisher.offer(messages.get(n))) {
                refuse(messages.subList(n, messages.size()));
                return;
            }
        }
    }

    private void refuse(List<PendingMessage> busy) {
        try {
            var unused = deadlines.schedule(
                    () -> busy.forEach(pending -> pending.report(BUSY)), BUSY_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            busy.forEach(pending -> pending.report(CLOSED)); // The destination was closed in between.
        }
    }

    private void expireLater(OpenCalls.Call call) {
        call.cancelWhenDone(deadlines.schedule(
                () -> expire(call), config.limits().confirmTimeout().toNanos(), TimeUnit.NANOSECONDS));
    }

    private void expire(OpenCalls.Call call) {
        Duration timeout = config.limits().confirmTimeout();
        String late = " within " + timeout.toMillis() + " ms";
        call.reportRest(
                Outcome.Retryable.unanswered(connector + " has not confirmed the message" + late),
                new Outcome.Unavailable(connector + " has not accepted the message" + late, Scope.DESTINATION));
        publisher.cutIfSilent(timeout);
    }

    /** Connects and logs in if there is no connection yet, and makes the broker answer. */
    @Override
    public void check(Duration timeout) {
        try {
            publisher.probe().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new OutboxException("RabbitMQ at " + connector + ": " + ConnectionFailure.describe(e), e);
        } catch (TimeoutException | CancellationException e) {
            throw new OutboxException(
                    "RabbitMQ at " + connector + ": no answer within " + timeout.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutboxException("RabbitMQ at " + connector + ": interrupted", e);
        }
    }

    @Override
    public void close() {
        if (!calls.close(CUT_OFF, CLOSED)) {
            return;
        }
        deadlines.shutdownNow();
        publisher.close();
        thread.interrupt();
        try {
            // An orderly end first. A thread that is blocked writing or connecting is released by cutting its
            // connection.
            if (!thread.join(CLOSE_STEP)) {
                connector.cut();
                thread.join(CLOSE_STEP);
            }
        } catch (InterruptedException e) {
            connector.cut();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "RabbitMQ destination " + config.name() + " at " + connector;
    }
}
