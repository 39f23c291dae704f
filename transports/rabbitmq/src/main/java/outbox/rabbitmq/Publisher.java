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
 * The one thread that writes to the broker. It connects when there is something to send or to check, not more often than
 * every half second; what comes in between learns why the last attempt failed.
 */
final class Publisher implements Runnable, ConfirmChannel.Observer {

    private static final Outcome CROWDED = new Outcome.Unavailable(
            "too many exchanges wait for their first answer", Scope.ADDRESS, Duration.ofSeconds(1));
    private static final Duration CONNECT_PAUSE = Duration.ofMillis(500);
    private static final int CLOSE_MILLIS_MAX = 1_000;

    private final Connector connector;
    private final boolean mandatory;
    private final Exchanges exchanges = new Exchanges(TimeSource.SYSTEM);
    private final Suspects suspects = new Suspects();
    private final Consumer<PendingMessage> busy;
    private final BlockingQueue<Runnable> queue;

    /** Those of the connection in use, if any. Written by this thread, read by others. */
    private volatile @Nullable ConfirmChannels lines;

    /** The broker's limit, once a message has met it. Written by the connection's thread. */
    private volatile long messageBytesMax = ChannelEnd.NO_LIMIT;

    /** Why the broker takes nothing at the moment; null: it does. Written by the connection's thread. */
    private volatile @Nullable String blockedBecause;

    private volatile boolean closed;
    private @Nullable String connectFailure;
    private long connectAgainAt;

    /** The last one; guarded by this. */
    private @Nullable FutureTask<Boolean> probe;

    /**
     * Connects to nothing yet.
     *
     * @param waitingMax how many messages may wait to be sent
     * @param busy takes a message for which there is no channel for now
     */
    Publisher(Connector connector, boolean mandatory, int waitingMax, Consumer<PendingMessage> busy) {
        this.connector = connector;
        this.mandatory = mandatory;
        this.busy = busy;
        this.queue = new LinkedBlockingQueue<>(waitingMax);
    }

    // ---- any thread ----------------------------------------------------------------------------------------------

    /** Leaves a message to be sent; false when too many wait. */
    boolean offer(PendingMessage sending) {
        return queue.offer(() -> publish(sending));
    }

    /** Connects if need be, and has the broker answer. Those who ask at the same time get the same answer. */
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

    /** Cuts a connection on which the broker has been silent for so long although something waits for its answer. */
    void cutIfSilent(Duration time) {
        ConfirmChannels current = lines;
        if (current != null && current.areSilent(time) && blockedBecause == null) {
            connector.cut(); // A broker that has said that it takes nothing is allowed to be silent.
        }
    }

    /** Ends the thread after what it is doing; an interrupt wakes it. */
    void close() {
        closed = true;
    }

    @Override
    public void answered(AmqpMessage message) {
        exchanges.proved(message.route());
        suspects.answered(message);
    }

    @Override
    public void ended(ChannelEnd end, List<AmqpMessage> inFlight) {
        if (end.namesNoCulprit()) {
            suspects.add(inFlight);
        }
        if (end.culprit() != null) {
            exchanges.avoid(end.culprit(), end.reason());
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
            ConfirmChannels last = lines;
            if (last != null) {
                last.connection().abort(CLOSE_MILLIS_MAX);
            }
        }
    }

    private void take(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) { // An Error as well: without this thread nothing would be sent any more.
            connector.cut(); // The message has an outcome by its deadline, and the client may have miscounted.
        }
    }

    private void publish(PendingMessage sending) {
        if (sending.isOver()) {
            return; // It has waited past its deadline, and may be in flight again as another attempt.
        }
        Route route = sending.message().route();
        try {
            ConfirmChannels usable = usableLines();
            Outcome refusal = refusal(sending.message());
            ConfirmChannel line = refusal == null ? usable.lineFor(sending.message()) : null;
            if (line != null) {
                line.send(sending);
            } else if (refusal == null && suspects.of(sending.message()) != null) {
                busy.accept(sending);
            } else {
                sending.report(refusal == null ? CROWDED : refusal);
            }
        } catch (IOException | ShutdownSignalException e) {
            connector.cut();
            sending.report(new Outcome.Unavailable(route + ": " + ConnectionFailure.words(e), Scope.DESTINATION));
        } catch (RuntimeException e) {
            // The client may have counted a message that it never sent, and then its numbers mean nothing any more.
            connector.cut();
            sending.report(new Outcome.Retryable(route + ": the client failed: " + e, null));
        }
    }

    /** Why not to send it at all; null: it may be sent. */
    private @Nullable Outcome refusal(AmqpMessage message) {
        if (message.body().length > messageBytesMax) {
            return ChannelEnd.tooLarge(message, messageBytesMax);
        }
        String blocked = blockedBecause;
        if (blocked != null) {
            return new Outcome.Unavailable(message.route() + ": " + blockedWords(blocked), Scope.DESTINATION);
        }
        String trouble = exchanges.trouble(message.route());
        return trouble == null ? null : ChannelEnd.unusable(message.route(), trouble);
    }

    private static String blockedWords(String reason) {
        return "the broker takes nothing at the moment: " + reason;
    }

    private boolean roundTrip() throws IOException {
        try {
            ConfirmChannels usable = usableLines();
            String blocked = blockedBecause;
            if (blocked != null) {
                throw new IOException(blockedWords(blocked)); // It would not even answer.
            }
            ConfirmChannel line = usable.shared();
            if (line != null) { // Without a channel for it, those in use show whether the broker answers.
                line.ping();
            }
            return true;
        } catch (IOException | ShutdownSignalException e) {
            if (blockedBecause == null) {
                connector.cut();
            }
            throw new IOException(ConnectionFailure.words(e));
        }
    }

    private ConfirmChannels usableLines() throws IOException {
        ConfirmChannels current = lines;
        if (current == null || !current.connection().isOpen()) {
            current = new ConfirmChannels(connect(), mandatory, exchanges, suspects, this);
            lines = current;
        }
        return current;
    }

    private Connection connect() throws IOException {
        if (connectFailure != null && TimeSource.SYSTEM.nanoTime() - connectAgainAt < 0) {
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
            connectFailure = "cannot connect to " + connector + ": " + ConnectionFailure.words(e);
            connectAgainAt = TimeSource.SYSTEM.nanoTime() + CONNECT_PAUSE.toNanos();
            throw new IOException(connectFailure); // In full: the cause alone would not say what was tried.
        }
    }
}
