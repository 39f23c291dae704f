package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReturnedMessagesTest {

    private static final Route ROUTE = new Route("orders", "key");

    private final ReturnedMessages returns = new ReturnedMessages();

    @Test
    void giveTheReasonOnce() {
        returns.note("id", ROUTE, "312 NO_ROUTE");

        assertThat(returns.take("other", ROUTE)).isNull();
        assertThat(returns.take("id", new Route("orders", "other"))).isNull();
        assertThat(returns.take("id", ROUTE)).isEqualTo("312 NO_ROUTE");
        assertThat(returns.take("id", ROUTE)).isNull();
    }

    @Test
    void countTheAttemptsAtOneEventThatComeBackTogether() {
        returns.note("id", ROUTE, "312 NO_ROUTE");
        returns.note("id", ROUTE, "312 NO_ROUTE");

        assertThat(returns.take("id", ROUTE)).isNotNull();
        assertThat(returns.take("id", ROUTE)).isNotNull();
        assertThat(returns.take("id", ROUTE)).isNull();
    }
}
