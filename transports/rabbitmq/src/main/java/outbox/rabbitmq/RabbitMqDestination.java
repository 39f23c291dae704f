package outbox.rabbitmq;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import outbox.OutboxException;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Checkable;
import outbox.spi.Destination;
import outbox.spi.DestinationTraits;

/**
 * Publishes to RabbitMQ with confirms, over channels that one thread writes to. A call only leaves its messages to
 * that thread; a clock of its own sees to it that each has an outcome in time, whatever the thread is stuck in.
 */
public final class RabbitMqDestination implements Destination, Checkable {

    private static final Outcome CLOSED = new Outcome.Unavailable("the destination is closed", Scope.CALL);
    private static final Outcome CUT_OFF =
            Outcome.Retryable.unanswered("the destination was closed before the broker confirmed");
    /** This says nothing about the broker. */
    private static final Outcome BUSY = new Outcome.Unavailable("too many messages wait to be sent", Scope.CALL);

    private static final int WAITING_MAX = 20_000;

    /** Between two tries of messages for which there was no room: they would come back as fast as they are refused. */
    private static final Duration BUSY_PAUSE = Duration.ofMillis(100);

    private static final Duration CLOSE_STEP = Duration.ofSeconds(2);

    private final RabbitMqConfig config;
    private final MessageFormer former;
    private final Connector connector;
    private final Publisher publisher;
    private final Thread thread;
    private final ScheduledThreadPoolExecutor deadlines;
    private final Set<Call> open = ConcurrentHashMap.newKeySet();

    /** Held while a call joins the open ones, so that none joins after they were told of the end. */
    private final ReentrantLock door = new ReentrantLock();

    /** Guarded by the door. */
    private boolean closed;

    public RabbitMqDestination(RabbitMqConfig config) {
        String threadName = "outbox-rabbitmq-" + config.name();
        this.config = config;
        this.former = new MessageFormer(config);
        this.connector = new Connector(config);
        this.publisher = new Publisher(
                connector, config.publishing().mandatory(), WAITING_MAX, sending -> refuse(List.of(sending)));
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
        Call call = new Call(deliveries.size(), receipt, open);
        List<PendingMessage> sendings = new ArrayList<>();
        for (int index = 0; index < deliveries.size(); index++) {
            try {
                sendings.add(new PendingMessage(call, index, former.message(deliveries.get(index))));
            } catch (IllegalArgumentException e) {
                call.report(index, new Outcome.Rejected(String.valueOf(e.getMessage())));
            }
        }
        if (sendings.isEmpty()) {
            return;
        }
        if (!join(call)) {
            call.reportRest(CLOSED, CLOSED);
            return;
        }
        for (int n = 0; n < sendings.size(); n++) {
            if (!publisher.offer(sendings.get(n))) {
                refuse(sendings.subList(n, sendings.size()));
                return;
            }
        }
    }

    private void refuse(List<PendingMessage> busy) {
        try {
            var unused = deadlines.schedule(
                    () -> busy.forEach(sending -> sending.report(BUSY)), BUSY_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            busy.forEach(sending -> sending.report(CLOSED)); // The destination was closed in between.
        }
    }

    private boolean join(Call call) {
        door.lock();
        try {
            if (!closed) {
                open.add(call);
                call.endsBy(deadlines.schedule(
                        () -> expire(call), config.limits().confirmTimeout().toNanos(), TimeUnit.NANOSECONDS));
            }
            return !closed;
        } finally {
            door.unlock();
        }
    }

    private void expire(Call call) {
        Duration timeout = config.limits().confirmTimeout();
        String late = " within " + timeout.toMillis() + " ms";
        call.reportRest(
                Outcome.Retryable.unanswered(connector + " has not confirmed the message" + late),
                new Outcome.Unavailable(connector + " has not let the message be sent" + late, Scope.DESTINATION));
        publisher.cutIfSilent(timeout);
    }

    /** Connects and logs in where there is no connection yet, and has the broker answer on the one that there is. */
    @Override
    public void check(Duration timeout) {
        try {
            publisher.probe().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new OutboxException("RabbitMQ at " + connector + ": " + ConnectionFailure.words(e), e);
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
        deadlines.shutdownNow();
        publisher.close();
        thread.interrupt();
        try {
            // First in peace; a thread that is stuck writing or connecting is freed by cutting its connection.
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
