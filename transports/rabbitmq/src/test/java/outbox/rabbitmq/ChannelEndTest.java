package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import org.junit.jupiter.api.Test;
import outbox.model.Outcome;

final class ChannelEndTest {

    @Test
    void blamesTheExchangeThatTheBrokerNames() {
        ChannelEnd end = ChannelEnd.of("NOT_FOUND - no exchange 'orders' in vhost '/'");

        assertThat(end.exchange()).isEqualTo("orders");
        assertThat(error(end, "orders")).isEqualTo("orders/key: NOT_FOUND - no exchange 'orders' in vhost '/'");
        assertThat(error(end, "invoices")).startsWith("invoices/key: another message has ended the channel");
    }

    @Test
    void rejectsOnlyTheMessageThatIsTooLarge() {
        ChannelEnd end = ChannelEnd.of("PRECONDITION_FAILED - message size 500 is larger than configured max size 100");

        assertThat(end.messageBytesMax()).isEqualTo(100);
        assertThat(end.outcome(message("orders", 101)))
                .isEqualTo(new Outcome.Rejected("orders/key: the message has 101 bytes, the broker allows 100"));
        assertThat(end.outcome(message("orders", 100))).isInstanceOf(Outcome.Retryable.class);
    }

    @Test
    void blamesNobodyForALostConnection() {
        ChannelEnd end = ChannelEnd.of("the connection is lost");

        assertThat(end.exchange()).isNull();
        assertThat(end.messageBytesMax()).isEqualTo(ChannelEnd.NO_LIMIT);
        assertThat(error(end, "orders")).isEqualTo("orders/key: the connection is lost");
    }

    private static String error(ChannelEnd end, String exchange) {
        return ((Outcome.Retryable) end.outcome(message(exchange, 1))).error();
    }

    private static AmqpMessage message(String exchange, int bytes) {
        return new AmqpMessage(new Route(exchange, "key"), new AMQP.BasicProperties(), new byte[bytes]);
    }
}
