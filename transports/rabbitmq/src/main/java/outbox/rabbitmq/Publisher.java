package outbox.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import outbox.util.TimeSource;

/**
 * The one thread that writes to the broker. It connects when there is something to send, not more often than every half
 * second; what comes in between is told why the last attempt failed.
 */
final class Publisher implements Runnable {

    private static final Duration CONNECT_PAUSE = Duration.ofMillis(500);
    private static final int CLOSE_MILLIS_MAX = 1_000;

    private final Connector connector;
    private final boolean mandatory;
    private final Exchanges exchanges = new Exchanges();
    private final BlockingQueue<Sending> queue;

    /** The line in use, if any. Written by this thread, read by others. */
    private volatile @Nullable Line line;

    /** The broker's limit, once somebody has met it. Written by the connection's thread. */
    private volatile long messageBytesMax = ChannelEnd.NO_LIMIT;

    /** Why the broker takes nothing at the moment; null: it does. Written by the connection's thread. */
    private volatile @Nullable String blockedBecause;

    private volatile boolean closed;
    private @Nullable String connectFailure;
    private long connectAgainAt;

    /**
     * Connects to nothing yet.
     *
     * @param waitingMax how many messages may wait to be sent
     */
    Publisher(Connector connector, boolean mandatory, int waitingMax) {
        this.connector = connector;
        this.mandatory = mandatory;
        this.queue = new LinkedBlockingQueue<>(waitingMax);
    }

    // ---- any thread ----------------------------------------------------------------------------------------------

    /** Leaves a message to be sent; false when too many wait. */
    boolean offer(Sending sending) {
        return queue.offer(sending);
    }

    /** Cuts a connection on which the broker has been silent for so long although something waits for its answer. */
    void cutIfSilent(Duration time) {
        Line current = line;
        if (current != null && current.isSilent(time) && blockedBecause == null) {
            connector.cut(); // A broker that has said that it takes nothing is allowed to be silent.
        }
    }

    /** Ends the thread after what it is doing; an interrupt wakes it. */
    void close() {
        closed = true;
    }

    private void ended(ChannelEnd end) {
        if (end.exchange() != null) {
            exchanges.avoid(end.exchange(), end.reason());
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
                publish(queue.take());
            }
        } catch (InterruptedException e) {
            // The destination is being closed.
        } finally {
            Line last = line;
            if (last != null) {
                last.connection().abort(CLOSE_MILLIS_MAX);
            }
        }
    }

    private void publish(Sending sending) {
        if (sending.isOver()) {
            return; // It has waited past its deadline, and may be under way again as another attempt.
        }
        try {
            Line current = usableLine();
            if (isWelcome(sending, current)) {
                current.send(sending);
            }
        } catch (ShutdownSignalException e) {
            sending.postpone(ConnectionFailure.words(e)); // Of the channel, which may be all that has ended.
        } catch (IOException e) {
            sending.postpone(ConnectionFailure.words(e));
            connector.cut();
        } catch (RuntimeException e) {
            // The client may have counted a message that it never sent, and then its numbers mean nothing any more.
            sending.postpone("the client failed: " + e);
            connector.cut();
        }
    }

    /** Whether to send it at all; if not, it is reported. */
    private boolean isWelcome(Sending sending, Line current) throws IOException {
        AmqpMessage message = sending.message();
        if (message.body().length > messageBytesMax) {
            sending.report(ChannelEnd.tooLarge(message, messageBytesMax));
            return false;
        }
        String blocked = blockedBecause;
        String trouble = blocked == null
                ? exchanges.trouble(message.route().exchange(), current.connection())
                : "the broker takes nothing at the moment: " + blocked;
        if (trouble != null) {
            sending.postpone(trouble);
        }
        return trouble == null;
    }

    private Line usableLine() throws IOException {
        Line current = line;
        if (current == null || !current.isOpen()) {
            Connection connection = current != null && current.isConnected() ? current.connection() : connect();
            try {
                current = Line.open(connection, mandatory, this::ended);
            } catch (IOException | ShutdownSignalException e) {
                connector.cut();
                throw e;
            }
            line = current;
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
            return connection;
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            connector.cut();
            connectFailure = "cannot connect to " + connector + ": " + ConnectionFailure.words(e);
            connectAgainAt = TimeSource.SYSTEM.nanoTime() + CONNECT_PAUSE.toNanos();
            throw new IOException(connectFailure); // In full: the cause alone would not say what was tried.
        }
    }
}
