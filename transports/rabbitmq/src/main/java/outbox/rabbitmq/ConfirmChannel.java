package outbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.TimeSource;

/**
 * One channel to the broker with its unconfirmed messages. Only the publisher's thread sends; answers arrive on the
 * connection's thread. This object ends with its channel: every unconfirmed message is reported then, and none is sent
 * again from here.
 */
final class ConfirmChannel {

    private final Channel channel;
    private final boolean mandatory;
    private final Observer observer;

    /** By the broker's delivery tags. Written by the publisher's thread, cleared by the connection's. */
    private final ConcurrentNavigableMap<Long, Flight> unconfirmed = new ConcurrentSkipListMap<>();

    private final ReturnedMessages returnedMessages = new ReturnedMessages();

    /**
     * Time since which an answer is due, by the monotonic clock: since the last answer, or since a message was sent
     * while none was due. Written by the publisher's and the connection's thread, read by others.
     */
    private volatile long waitingSince = TimeSource.SYSTEM.nanoTime();

    /** The end of the channel, once it has ended. Written by the thread that ends it, read by the publisher's. */
    private volatile @Nullable ChannelEnd end;

    /** Whether only one message was in flight at the end. Written before the end is, read after it. */
    private volatile boolean endedByOne;

    /** Observes answers that matter for later messages. It is notified before they are reported. */
    interface Observer {

        /** Called when the broker has answered a message. */
        void answered(AmqpMessage message);

        /** Called when the channel has ended, with these messages in flight. */
        void ended(ChannelEnd end, List<AmqpMessage> inFlight);
    }

    /** A message that is being written, or waits for its confirmation. */
    private static final class Flight {

        private final PendingMessage pending;

        /**
         * Whether the message was written completely. Until then only the publisher's thread knows its fate and reports
         * it. Written by that thread, read by the one that ends the channel.
         */
        private volatile boolean written;

        Flight(PendingMessage pending) {
            this.pending = pending;
        }
    }

    private ConfirmChannel(Channel channel, boolean mandatory, Observer observer) {
        this.channel = channel;
        this.mandatory = mandatory;
        this.observer = observer;
    }

    /** Opens a channel with confirms on the connection. Returns null when the broker allows no further channel. */
    static @Nullable ConfirmChannel open(Connection connection, boolean mandatory, Observer observer)
            throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            return null;
        }
        ConfirmChannel opened = new ConfirmChannel(channel, mandatory, observer);
        channel.addShutdownListener(opened::ended);
        channel.addConfirmListener(opened::acknowledged, opened::refused);
        channel.addReturnListener((ReturnListener) opened::returnReason);
        channel.confirmSelect();
        return opened;
    }

    // ---- the publisher's thread ----------------------------------------------------------------------------------

    boolean isOpen() {
        return channel.isOpen();
    }

    boolean isIdle() {
        return unconfirmed.isEmpty();
    }

    /** Makes the broker answer, with a request that has no effect on a channel without consumers. */
    void ping() throws IOException {
        channel.basicQos(0);
    }

    /** Closes a channel with nothing in flight. */
    void close() {
        try {
            channel.close();
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            // The connection is about to end, which the next message will find out.
        }
    }

    /** Sends a message and reports its outcome later. If this throws, the message has not arrived. */
    void send(PendingMessage pending) throws IOException {
        AmqpMessage message = pending.message();
        if (unconfirmed.isEmpty()) {
            waitingSince = TimeSource.SYSTEM.nanoTime();
        }
        // Recorded before it is sent, because the confirmation may arrive before the call returns.
        long number = channel.getNextPublishSeqNo();
        Flight flight = new Flight(pending);
        unconfirmed.put(number, flight);
        pending.markSent();
        try {
            channel.basicPublish(
                    message.route().exchange(),
                    message.route().routingKey(),
                    mandatory,
                    message.properties(),
                    message.body());
        } catch (AlreadyClosedException e) {
            unconfirmed.remove(number);
            pending.report(notSent(message.route(), ChannelEnd.of(e)));
            return;
        } catch (IOException | RuntimeException e) {
            unconfirmed.remove(number);
            throw e;
        }
        flight.written = true;
        ChannelEnd ended = end;
        if (ended != null) { // The channel may have ended before it could see that this message was written.
            unconfirmed.remove(number);
            pending.report(ended.outcome(message, endedByOne));
        }
    }

    private static Outcome notSent(Route route, ChannelEnd end) {
        return end.isOfConnection()
                ? new Outcome.Unavailable(route + ": " + end.reason(), Scope.DESTINATION)
                : new Outcome.Unavailable(
                        route + ": another message has ended the channel: " + end.reason(), Scope.CALL);
    }

    // ---- the connection's thread ---------------------------------------------------------------------------------

    private void acknowledged(long number, boolean multiple) {
        confirmed(number, multiple, true);
    }

    private void refused(long number, boolean multiple) {
        confirmed(number, multiple, false);
    }

    private void confirmed(long number, boolean multiple, boolean taken) {
        waitingSince = TimeSource.SYSTEM.nanoTime();
        if (multiple) {
            Map<Long, Flight> all = unconfirmed.headMap(number, true);
            List.copyOf(all.values()).forEach(flight -> settle(flight.pending, taken));
            all.clear();
        } else {
            Flight flight = unconfirmed.remove(number);
            if (flight != null) {
                settle(flight.pending, taken);
            }
        }
    }

    private void settle(PendingMessage pending, boolean taken) {
        Route route = pending.message().route();
        observer.answered(pending.message());
        String reason = returnedMessages.take(pending.message().id(), route);
        if (reason != null) {
            pending.report(ChannelEnd.unusable(
                    route,
                    "the broker returned the message from exchange \"" + route.exchange() + "\" with routing key \""
                            + route.routingKey() + "\": " + reason + "; bind a queue for this key"));
        } else if (taken) {
            pending.report(new Outcome.Delivered(route.toString(), -1, -1));
        } else {
            // A queue is full or has failed. That does not depend on the message.
            pending.report(ChannelEnd.unusable(route, "a queue could not accept the message (nack)"));
        }
    }

    private void returnReason(
            int code, String text, String exchange, String routingKey, AMQP.BasicProperties properties, byte[] body) {
        waitingSince = TimeSource.SYSTEM.nanoTime();
        returnedMessages.note(properties.getMessageId(), new Route(exchange, routingKey), code + " " + text);
    }

    private void ended(ShutdownSignalException cause) {
        ChannelEnd ended = ChannelEnd.of(cause);
        List<AmqpMessage> inFlight = unconfirmed.values().stream()
                .map(flight -> flight.pending.message())
                .toList();
        observer.ended(ended, inFlight);
        endedByOne = inFlight.size() == 1;
        end = ended;
        unconfirmed.values().removeIf(flight -> {
            if (flight.written) {
                flight.pending.report(ended.outcome(flight.pending.message(), endedByOne));
            }
            return flight.written;
        });
    }

    // ---- any thread ----------------------------------------------------------------------------------------------

    /** Forgets messages that are already reported. Returns whether there were any. */
    boolean forgetReported() {
        return unconfirmed.values().removeIf(flight -> flight.pending.isReported());
    }

    /** Returns whether the broker has answered within this time, or no answer was due for longer. */
    boolean answeredWithin(Duration time) {
        return TimeSource.SYSTEM.nanoTime() - waitingSince < time.toNanos();
    }
}
