package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.AMQImpl;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.model.Outcome;

/** Checks the table of ended channels in docs/destinations.md, row by row. */
final class ChannelEndTest {

    /**
     * The end of a channel, and the outcomes of messages that were in flight.
     *
     * @param named outcome of a message that the text names
     * @param other outcome of another message
     */
    record Row(ChannelEnd end, String named, String other) {}

    static List<Row> rows() {
        return List.of(
                new Row(channel("NOT_FOUND - no exchange 'orders' in vhost '/'"), "ADDRESS", "CALL"),
                new Row(
                        channel(
                                "ACCESS_REFUSED - write access to exchange 'orders' in vhost '/' refused for user 'me'"),
                        "ADDRESS",
                        "CALL"),
                new Row(
                        channel("ACCESS_REFUSED - cannot publish to internal exchange 'orders' in vhost '/'"),
                        "ADDRESS",
                        "CALL"),
                new Row(
                        channel("ACCESS_REFUSED - write access to topic 'key' in exchange 'orders' in vhost '/' refused"
                                + " for user 'me'"),
                        "ADDRESS",
                        "CALL"),
                new Row(
                        channel("PRECONDITION_FAILED - message size 500 is larger than configured max size 100"),
                        "CALL",
                        "CALL"),
                new Row(channel("PRECONDITION_FAILED - invalid message"), "CALL", "CALL"),
                new Row(
                        connection("CONNECTION_FORCED - broker forced connection closure with reason 'shutdown'"),
                        "unanswered",
                        "unanswered"),
                new Row(
                        ChannelEnd.of(new ShutdownSignalException(
                                true, false, null, new Object(), "", new SocketException("Connection reset"))),
                        "unanswered",
                        "unanswered"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void blamesWhatTheBrokerNames(Row row) {
        assertThat(kind(row.end().outcome(message("orders", "key", 1), false))).isEqualTo(row.named());
        assertThat(kind(row.end().outcome(message("invoices", "key", 1), false)))
                .isEqualTo(row.other());
    }

    @Test
    void blamesOnlyTheTopicIfOnlyThatIsRefused() {
        ChannelEnd end = channel("ACCESS_REFUSED - write access to topic 'secret' in exchange 'orders' in vhost '/'"
                + " refused for user 'me'");

        assertThat(end.blamed()).isEqualTo(new BrokerAddress("orders", "secret"));
        assertThat(kind(end.outcome(message("orders", "secret", 1), false))).isEqualTo("ADDRESS");
        assertThat(kind(end.outcome(message("orders", "key", 1), false))).isEqualTo("CALL");
    }

    @Test
    void recognisesBothNamesOfTheDefaultExchange() {
        ChannelEnd end = channel("ACCESS_REFUSED - write access to exchange 'amq.default' in vhost '/' refused");

        assertThat(kind(end.outcome(message("", "orders", 1), false))).isEqualTo("ADDRESS");
    }

    @Test
    void rejectsOnlyTheMessageThatIsTooLarge() {
        ChannelEnd end = channel("PRECONDITION_FAILED - message size 500 is larger than configured max size 100");

        assertThat(end.messageBytesMax()).isEqualTo(100);
        assertThat(end.outcome(message("orders", "key", 101), false))
                .isEqualTo(new Outcome.Rejected("orders/key: the message has 101 bytes, but the broker allows 100"));
        assertThat(kind(end.outcome(message("orders", "key", 100), false))).isEqualTo("CALL");
    }

    @Test
    void chargesAMessageThatWasAloneOnItsChannel() {
        assertThat(channel("PRECONDITION_FAILED - invalid message").outcome(message("orders", "key", 1), true))
                .isEqualTo(new Outcome.Retryable("orders/key: PRECONDITION_FAILED - invalid message", null));
    }

    private static ChannelEnd channel(String text) {
        return ended(new AMQImpl.Channel.Close(404, text, 60, 40), false);
    }

    private static ChannelEnd connection(String text) {
        return ended(new AMQImpl.Connection.Close(320, text, 0, 0), true);
    }

    private static ChannelEnd ended(com.rabbitmq.client.Method reason, boolean hardError) {
        return ChannelEnd.of(new ShutdownSignalException(hardError, false, reason, new Object()));
    }

    private static String kind(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Delivered delivered -> "delivered";
            case Outcome.Rejected rejected -> "rejected";
            case Outcome.Retryable retryable -> retryable.unanswered() ? "unanswered" : "retryable";
            case Outcome.Unavailable unavailable -> unavailable.scope().name();
        };
    }

    private static AmqpMessage message(String exchange, String routingKey, int bytes) {
        return new AmqpMessage(new Route(exchange, routingKey), new AMQP.BasicProperties(), new byte[bytes]);
    }
}
