package outbox.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.TimeSource;

/**
 * The one thread that writes to the broker. It connects when there is something to send or to check, at most every half
 * second. Messages that arrive in between fail with the reason of the last attempt.
 */
final class Publisher implements Runnable, ConfirmChannel.Observer {

    private static final Outcome NO_FREE_CHANNEL = new Outcome.Unavailable(
            "too many exchanges wait for their first answer", Scope.ADDRESS, Duration.ofSeconds(1));
    private static final Duration CONNECT_PAUSE = Duration.ofMillis(500);
    private static final int CLOSE_MILLIS_MAX = 1_000;

    private final Connector connector;
    private final boolean mandatory;
    private final Exchanges exchanges = new Exchanges(TimeSource.SYSTEM);
    private final Suspects suspects = new Suspects();
    private final Consumer<PendingMessage> busy;
    private final BlockingQueue<Runnable> queue;

    /** Those of the current connection, if any. Written by this thread, read by others. */
    private volatile @Nullable ConfirmChannels channels;

    /** The broker's limit, once a message has exceeded it. Written by the connection's thread. */
    private volatile long messageBytesMax = ChannelEnd.NO_LIMIT;

    /** Why the broker currently accepts no messages, or null. Written by the connection's thread. */
    private volatile @Nullable String blockedBecause;

    private volatile boolean closed;
    private @Nullable String connectFailure;
    private long nextConnectAt;

    /** The latest probe; guarded by this. */
    private @Nullable FutureTask<Boolean> probe;

    /**
     * Opens no connection yet.
     *
     * @param waitingMax how many messages may wait to be sent
     * @param busy takes a message for which no channel is free
     */
    Publisher(Connector connector, boolean mandatory, int waitingMax, Consumer<PendingMessage> busy) {
        this.connector = connector;
        this.mandatory = mandatory;
        this.busy = busy;
        this.queue = new LinkedBlockingQueue<>(waitingMax);
    }

    // ---- any thread ----------------------------------------------------------------------------------------------

    /** Queues a message. Returns false when too many wait. */
    boolean offer(PendingMessage pending) {
        return queue.offer(() -> publish(pending));
    }

    /** Connects if needed, and makes the broker answer. Concurrent callers share one answer. */
    synchronized Future<Boolean> probe() {
        FutureTask<Boolean> last = probe;
        if (last != null && !last.isDone()) {
            return last;
        }
        FutureTask<Boolean> next = new FutureTask<>(this::roundTrip);
        probe = next;
        if (!queue.offer(next)) {
            next.cancel(false);
        }
        return next;
    }

    /** Cuts a connection on which the broker has not answered for this time although an answer is due. */
    void cutIfSilent(Duration time) {
        ConfirmChannels current = channels;
        if (current != null && current.isSilent(time) && blockedBecause == null) {
            connector.cut(); // A broker that has announced that it accepts nothing does not have to answer.
        }
    }

    /** Ends the thread after its current work; an interrupt wakes it. */
    void close() {
        closed = true;
    }

    @Override
    public void answered(AmqpMessage message) {
        exchanges.markProven(message.route());
        suspects.answered(message);
    }

    @Override
    public void ended(ChannelEnd end, List<AmqpMessage> inFlight) {
        if (end.isUnattributed()) {
            suspects.add(inFlight);
        }
        if (end.blamed() != null) {
            exchanges.avoid(end.blamed(), end.reason());
        }
        if (end.messageBytesMax() != ChannelEnd.NO_LIMIT) {
            messageBytesMax = end.messageBytesMax();
        }
    }

    // ---- the publisher's thread ----------------------------------------------------------------------------------

    @Override
    public void run() {
        try {
            while (!closed) {
                take(queue.take());
            }
        } catch (InterruptedException e) {
            // The destination is being closed.
        } finally {
            ConfirmChannels last = channels;
            if (last != null) {
                last.connection().abort(CLOSE_MILLIS_MAX);
            }
        }
    }

    private void take(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) { // Catches errors as well: without this thread nothing would be sent any more.
            connector.cut(); // The message gets its outcome at its deadline, and the client's numbers may be wrong.
        }
    }

    private void publish(PendingMessage pending) {
        if (pending.isReported()) {
            return; // It waited past its deadline, and another attempt may be in flight.
        }
        Route route = pending.message().route();
        try {
            ConfirmChannels usable = connectedChannels();
            Outcome refusal = refusal(pending.message());
            ConfirmChannel channel = refusal == null ? usable.channelFor(pending.message()) : null;
            if (channel != null) {
                channel.send(pending);
            } else if (refusal == null && suspects.of(pending.message()) != null) {
                busy.accept(pending);
            } else {
                pending.report(refusal == null ? NO_FREE_CHANNEL : refusal);
            }
        } catch (IOException | ShutdownSignalException e) {
            connector.cut();
            pending.report(new Outcome.Unavailable(route + ": " + ConnectionFailure.describe(e), Scope.DESTINATION));
        } catch (RuntimeException e) {
            // The client may have counted a message that it never sent, which makes its numbers useless.
            connector.cut();
            pending.report(new Outcome.Retryable(route + ": the client failed: " + e, null));
        }
    }

    /** Returns the outcome of a message that must not be sent, or null. */
    private @Nullable Outcome refusal(AmqpMessage message) {
        if (message.body().length > messageBytesMax) {
            return ChannelEnd.tooLarge(message, messageBytesMax);
        }
        String blocked = blockedBecause;
        if (blocked != null) {
            return new Outcome.Unavailable(message.route() + ": " + blockedText(blocked), Scope.DESTINATION);
        }
        String problem = exchanges.problem(message.route());
        return problem == null ? null : ChannelEnd.unusable(message.route(), problem);
    }

    private static String blockedText(String reason) {
        return "the broker currently accepts no messages: " + reason;
    }

    private boolean roundTrip() throws IOException {
        try {
            ConfirmChannels usable = connectedChannels();
            String blocked = blockedBecause;
            if (blocked != null) {
                throw new IOException(blockedText(blocked)); // A blocked broker would not even answer.
            }
            ConfirmChannel channel = usable.shared();
            // Without a free channel for the probe, the channels in use show whether the broker answers.
            if (channel != null) {
                channel.ping();
            }
            return true;
        } catch (IOException | ShutdownSignalException e) {
            if (blockedBecause == null) {
                connector.cut();
            }
            throw new IOException(ConnectionFailure.describe(e));
        }
    }

    private ConfirmChannels connectedChannels() throws IOException {
        ConfirmChannels current = channels;
        if (current == null || !current.connection().isOpen()) {
            current = new ConfirmChannels(connect(), mandatory, exchanges, suspects, this);
            channels = current;
        }
        return current;
    }

    private Connection connect() throws IOException {
        if (connectFailure != null && TimeSource.SYSTEM.nanoTime() - nextConnectAt < 0) {
            throw new IOException(connectFailure);
        }
        try {
            Connection connection = connector.connect();
            connection.addBlockedListener(reason -> blockedBecause = reason, () -> blockedBecause = null);
            blockedBecause = null;
            messageBytesMax = ChannelEnd.NO_LIMIT;
            connectFailure = null;
            exchanges.forget();
            suspects.forget();
            return connection;
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            connector.cut();
            connectFailure = "cannot connect to " + connector + ": " + ConnectionFailure.describe(e);
            nextConnectAt = TimeSource.SYSTEM.nanoTime() + CONNECT_PAUSE.toNanos();
            throw new IOException(connectFailure); // The full text, because the cause does not contain what was tried.
        }
    }
}
