package outbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;

/**
 * Why a channel has ended, and with it everything that was under way on it.
 *
 * @param reason for people
 * @param exchange the one that is to blame, if the broker named one
 * @param messageBytesMax the broker's limit, if somebody passed it; otherwise no limit
 */
record ChannelEnd(String reason, @Nullable String exchange, long messageBytesMax) {

    static final long NO_LIMIT = Long.MAX_VALUE;

    private static final Pattern EXCHANGE = Pattern.compile("exchange '(.*)' in vhost");
    private static final Pattern TOO_LARGE = Pattern.compile("message size \\d+ .*larger than .*max size (\\d+)");

    /** Told of the end of a channel. */
    @FunctionalInterface
    interface Observer {
        void ended(ChannelEnd end);
    }

    static ChannelEnd of(ShutdownSignalException cause) {
        Method method = cause.getReason();
        String text = "the connection is lost";
        if (method instanceof AMQP.Channel.Close close) {
            text = close.getReplyText();
        } else if (method instanceof AMQP.Connection.Close close) {
            text = close.getReplyText();
        } else if (cause.getCause() != null) {
            text = "the connection is lost: " + cause.getCause().getMessage();
        }
        return of(text);
    }

    static ChannelEnd of(String replyText) {
        Matcher exchange = EXCHANGE.matcher(replyText);
        Matcher limit = TOO_LARGE.matcher(replyText);
        return new ChannelEnd(
                replyText,
                exchange.find() ? exchange.group(1) : null,
                limit.find() ? Long.parseLong(limit.group(1)) : NO_LIMIT);
    }

    /** What became of a message that was under way. */
    Outcome outcome(AmqpMessage message) {
        if (message.body().length > messageBytesMax) {
            return tooLarge(message, messageBytesMax);
        }
        boolean blamed = exchange == null || exchange.equals(message.route().exchange());
        return new Outcome.Retryable(
                message.route() + ": " + (blamed ? reason : "another message has ended the channel: " + reason), null);
    }

    static Outcome tooLarge(AmqpMessage message, long messageBytesMax) {
        return new Outcome.Rejected(message.route() + ": the message has " + message.body().length
                + " bytes, the broker allows " + messageBytesMax);
    }
}
