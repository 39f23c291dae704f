package outbox.rabbitmq;

import com.rabbitmq.client.AMQP;
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
import outbox.model.Outcome;
import outbox.util.TimeSource;

/**
 * One channel to the broker with what it has not confirmed yet. Only the publisher's thread sends; answers come on the
 * thread of the connection. A line ends with its channel: everything that is not confirmed is reported then, and
 * nothing of it is sent again from here.
 */
final class Line {

    private final Connection connection;
    private final Channel channel;
    private final boolean mandatory;

    /** By the numbers that the broker confirms. Written by the publisher's thread, cleared by the connection's. */
    private final ConcurrentNavigableMap<Long, Sending> unconfirmed = new ConcurrentSkipListMap<>();

    private final Returns returns = new Returns();

    /**
     * Since when the broker owes an answer, by the monotonic clock: since it last gave one, or since something was sent
     * while it owed none. Written by the publisher's and the connection's thread, read by others.
     */
    private volatile long waitingSince = TimeSource.SYSTEM.nanoTime();

    private Line(Connection connection, Channel channel, boolean mandatory) {
        this.connection = connection;
        this.channel = channel;
        this.mandatory = mandatory;
    }

    /** Opens a channel with confirms on the connection; its end is told to the observer before anything is reported. */
    static Line open(Connection connection, boolean mandatory, ChannelEnd.Observer observer) throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the broker allows no further channel");
        }
        Line line = new Line(connection, channel, mandatory);
        channel.addShutdownListener(cause -> line.ended(cause, observer));
        channel.addConfirmListener(line::acknowledged, line::refused);
        channel.addReturnListener((ReturnListener) line::cameBack);
        channel.confirmSelect();
        return line;
    }

    // ---- the publisher's thread ----------------------------------------------------------------------------------

    boolean isOpen() {
        return channel.isOpen();
    }

    boolean isConnected() {
        return connection.isOpen();
    }

    Connection connection() {
        return connection;
    }

    void send(Sending sending) throws IOException {
        AmqpMessage message = sending.message();
        if (unconfirmed.isEmpty()) {
            waitingSince = TimeSource.SYSTEM.nanoTime();
        }
        // First noted, then sent: the confirmation may come before the call returns.
        unconfirmed.put(channel.getNextPublishSeqNo(), sending);
        channel.basicPublish(
                message.route().exchange(),
                message.route().routingKey(),
                mandatory,
                message.properties(),
                message.body());
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
            Map<Long, Sending> all = unconfirmed.headMap(number, true);
            List.copyOf(all.values()).forEach(sending -> settle(sending, taken));
            all.clear();
        } else {
            Sending sending = unconfirmed.remove(number);
            if (sending != null) {
                settle(sending, taken);
            }
        }
    }

    private void settle(Sending sending, boolean taken) {
        Route route = sending.message().route();
        String reason = returns.take(sending.message().properties().getMessageId(), route);
        if (reason != null) {
            sending.postpone("the message came back from exchange \"" + route.exchange() + "\" with routing key \""
                    + route.routingKey() + "\": " + reason + "; bind a queue for it");
        } else if (taken) {
            sending.report(new Outcome.Delivered(route.toString(), -1, -1));
        } else {
            sending.postpone("the broker could not take the message (nack)");
        }
    }

    private void cameBack(
            int code, String text, String exchange, String routingKey, AMQP.BasicProperties properties, byte[] body) {
        waitingSince = TimeSource.SYSTEM.nanoTime();
        returns.note(properties.getMessageId(), new Route(exchange, routingKey), code + " " + text);
    }

    private void ended(ShutdownSignalException cause, ChannelEnd.Observer observer) {
        ChannelEnd end = ChannelEnd.of(cause);
        observer.ended(end);
        unconfirmed.values().forEach(sending -> sending.report(end.outcome(sending.message())));
        unconfirmed.clear();
    }

    // ---- any thread ----------------------------------------------------------------------------------------------

    /** Forgets what nobody waits for any more, and says whether the broker has answered nothing for so long. */
    boolean isSilent(Duration time) {
        boolean waited = unconfirmed.values().removeIf(Sending::isOver);
        return waited && TimeSource.SYSTEM.nanoTime() - waitingSince >= time.toNanos();
    }
}
