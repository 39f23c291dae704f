package outbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;

/**
 * Describes why a channel has ended, and with it everything in flight on it.
 *
 * @param reason for operators
 * @param isOfConnection whether the whole connection has ended, which is no message's fault
 * @param blamed the exchange or routing key that the broker names as the cause, if any
 * @param messageBytesMax the broker's limit, if a message exceeded it; otherwise no limit
 */
record ChannelEnd(
        String reason, boolean isOfConnection, @Nullable BrokerAddress blamed, long messageBytesMax) {

    static final long NO_LIMIT = Long.MAX_VALUE;

    private static final Pattern EXCHANGE = Pattern.compile("exchange '(.*)' in vhost");
    private static final Pattern TOPIC = Pattern.compile("topic '(.*)' in exchange '");
    private static final Pattern TOO_LARGE = Pattern.compile("message size \\d+ .*larger than .*max size (\\d+)");

    static ChannelEnd of(ShutdownSignalException cause) {
        Method method = cause.getReason();
        if (method instanceof AMQP.Channel.Close close) {
            return ofChannel(close.getReplyText());
        }
        if (method instanceof AMQP.Connection.Close close) {
            return ofConnection(close.getReplyText());
        }
        return ofConnection("the connection is lost"
                + (cause.getCause() == null ? "" : ": " + cause.getCause().getMessage()));
    }

    static ChannelEnd ofConnection(String reason) {
        return new ChannelEnd(reason, true, null, NO_LIMIT);
    }

    static ChannelEnd ofChannel(String replyText) {
        Matcher exchange = EXCHANGE.matcher(replyText);
        Matcher topic = TOPIC.matcher(replyText);
        Matcher limit = TOO_LARGE.matcher(replyText);
        return new ChannelEnd(
                replyText,
                false,
                exchange.find() ? BrokerAddress.of(exchange.group(1), topic.find() ? topic.group(1) : null) : null,
                limit.find() ? Long.parseLong(limit.group(1)) : NO_LIMIT);
    }

    /**
     * Returns the outcome of a message that was sent and not confirmed.
     *
     * @param isAlone whether it was the only one on the channel
     */
    Outcome outcome(AmqpMessage message, boolean isAlone) {
        Route route = message.route();
        if (message.body().length > messageBytesMax) {
            return tooLarge(message, messageBytesMax);
        }
        if (isOfConnection) {
            return Outcome.Retryable.unanswered(route + ": " + reason);
        }
        if (blamed != null && blamed.contains(route)) {
            return unusable(route, reason);
        }
        return isUnattributed() && isAlone
                ? new Outcome.Retryable(route + ": " + reason, null)
                : new Outcome.Unavailable(route + ": another message has ended the channel: " + reason, Scope.CALL);
    }

    /** Returns whether one of the messages in flight is the cause, and the broker does not name it. */
    boolean isUnattributed() {
        return !isOfConnection && blamed == null && messageBytesMax == NO_LIMIT;
    }

    /** Returns the outcome when the exchange, or the routing key at it, is unusable. */
    static Outcome unusable(Route route, String reason) {
        return new Outcome.Unavailable(route + ": " + reason, Scope.ADDRESS);
    }

    static Outcome tooLarge(AmqpMessage message, long messageBytesMax) {
        return new Outcome.Rejected(message.route() + ": the message has " + message.body().length
                + " bytes, but the broker allows " + messageBytesMax);
    }
}
