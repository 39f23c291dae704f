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
 * One channel to the broker with what it has not confirmed yet. Only the publisher's thread sends; answers come on the
 * thread of the connection. A line ends with its channel: everything that is not confirmed is reported then, and
 * nothing of it is sent again from here.
 */
final class ConfirmChannel {

    private final Channel channel;
    private final boolean mandatory;
    private final Observer observer;

    /** By the numbers that the broker confirms. Written by the publisher's thread, cleared by the connection's. */
    private final ConcurrentNavigableMap<Long, Flight> unconfirmed = new ConcurrentSkipListMap<>();

    private final ReturnedMessages returns = new ReturnedMessages();

    /**
     * Since when the broker owes an answer, by the monotonic clock: since it last gave one, or since something was sent
     * while it owed none. Written by the publisher's and the connection's thread, read by others.
     */
    private volatile long waitingSince = TimeSource.SYSTEM.nanoTime();

    /** Why the channel has ended, once it has. Written by the thread that ends it, read by the publisher's. */
    private volatile @Nullable ChannelEnd end;

    /** Whether only one message was in flight then. Written before the end is, read after it. */
    private volatile boolean endedByOne;

    /** Learns what answers mean for later messages. Called before they are reported. */
    interface Observer {

        /** The broker has answered a message. */
        void answered(AmqpMessage message);

        /** The channel has ended, with these messages in flight. */
        void ended(ChannelEnd end, List<AmqpMessage> inFlight);
    }

    /** A message that is being written, or waits for its confirmation. */
    private static final class Flight {

        private final PendingMessage sending;

        /**
         * Whether all of it was written. Until then only the publisher's thread knows what became of it, and reports it.
         * Written by that thread, read by the one that ends the channel.
         */
        private volatile boolean written;

        Flight(PendingMessage sending) {
            this.sending = sending;
        }
    }

    private ConfirmChannel(Channel channel, boolean mandatory, Observer observer) {
        this.channel = channel;
        this.mandatory = mandatory;
        this.observer = observer;
    }

    /** Opens a channel with confirms on the connection; null when the broker allows no further one. */
    static @Nullable ConfirmChannel open(Connection connection, boolean mandatory, Observer observer)
            throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            return null;
        }
        ConfirmChannel line = new ConfirmChannel(channel, mandatory, observer);
        channel.addShutdownListener(line::ended);
        channel.addConfirmListener(line::acknowledged, line::refused);
        channel.addReturnListener((ReturnListener) line::cameBack);
        channel.confirmSelect();
        return line;
    }

    // ---- the publisher's thread ----------------------------------------------------------------------------------

    boolean isOpen() {
        return channel.isOpen();
    }

    boolean isIdle() {
        return unconfirmed.isEmpty();
    }

    /** Has the broker answer, with a request that means nothing on a channel without consumers. */
    void ping() throws IOException {
        channel.basicQos(0);
    }

    /** Closes a line on which nothing is in flight. */
    void close() {
        try {
            channel.close();
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            // Then the connection is about to end, which the next message will find.
        }
    }

    /** Sends a message, whose outcome is reported from here unless this throws: then nothing of it has arrived. */
    void send(PendingMessage sending) throws IOException {
        AmqpMessage message = sending.message();
        if (unconfirmed.isEmpty()) {
            waitingSince = TimeSource.SYSTEM.nanoTime();
        }
        // First noted, then sent: the confirmation may come before the call returns.
        long number = channel.getNextPublishSeqNo();
        Flight flight = new Flight(sending);
        unconfirmed.put(number, flight);
        sending.begins();
        try {
            channel.basicPublish(
                    message.route().exchange(),
                    message.route().routingKey(),
                    mandatory,
                    message.properties(),
                    message.body());
        } catch (AlreadyClosedException e) {
            unconfirmed.remove(number);
            sending.report(notSent(message.route(), ChannelEnd.of(e)));
            return;
        } catch (IOException | RuntimeException e) {
            unconfirmed.remove(number);
            throw e;
        }
        flight.written = true;
        ChannelEnd ended = end;
        if (ended != null) { // It may have ended before it could see that this message is written.
            unconfirmed.remove(number);
            sending.report(ended.outcome(message, endedByOne));
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
            List.copyOf(all.values()).forEach(flight -> settle(flight.sending, taken));
            all.clear();
        } else {
            Flight flight = unconfirmed.remove(number);
            if (flight != null) {
                settle(flight.sending, taken);
            }
        }
    }

    private void settle(PendingMessage sending, boolean taken) {
        Route route = sending.message().route();
        observer.answered(sending.message());
        String reason = returns.take(sending.message().id(), route);
        if (reason != null) {
            sending.report(ChannelEnd.unusable(
                    route,
                    "the message came back from exchange \"" + route.exchange() + "\" with routing key \""
                            + route.routingKey() + "\": " + reason + "; bind a queue for it"));
        } else if (taken) {
            sending.report(new Outcome.Delivered(route.toString(), -1, -1));
        } else {
            // A queue is full or has failed. What the message is does not matter to it.
            sending.report(ChannelEnd.unusable(route, "a queue could not take the message (nack)"));
        }
    }

    private void cameBack(
            int code, String text, String exchange, String routingKey, AMQP.BasicProperties properties, byte[] body) {
        waitingSince = TimeSource.SYSTEM.nanoTime();
        returns.note(properties.getMessageId(), new Route(exchange, routingKey), code + " " + text);
    }

    private void ended(ShutdownSignalException cause) {
        ChannelEnd ended = ChannelEnd.of(cause);
        List<AmqpMessage> inFlight = unconfirmed.values().stream()
                .map(flight -> flight.sending.message())
                .toList();
        observer.ended(ended, inFlight);
        endedByOne = inFlight.size() == 1;
        end = ended;
        unconfirmed.values().removeIf(flight -> {
            if (flight.written) {
                flight.sending.report(ended.outcome(flight.sending.message(), endedByOne));
            }
            return flight.written;
        });
    }

    // ---- any thread ----------------------------------------------------------------------------------------------

    /** Forgets what nothing waits for any more, and says whether there was any. */
    boolean forgetOver() {
        return unconfirmed.values().removeIf(flight -> flight.sending.isOver());
    }

    /** Whether the broker has answered within this time, or has owed an answer for no longer. */
    boolean answeredWithin(Duration time) {
        return TimeSource.SYSTEM.nanoTime() - waitingSince < time.toNanos();
    }
}
