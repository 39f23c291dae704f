package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReturnedMessagesTest {

    private static final Route ROUTE = new Route("orders", "key");

    private final ReturnedMessages returnedMessages = new ReturnedMessages();

    @Test
    void returnEachReasonOnce() {
        returnedMessages.note("id", ROUTE, "312 NO_ROUTE");

        assertThat(returnedMessages.take("other", ROUTE)).isNull();
        assertThat(returnedMessages.take("id", new Route("orders", "other"))).isNull();
        assertThat(returnedMessages.take("id", ROUTE)).isEqualTo("312 NO_ROUTE");
        assertThat(returnedMessages.take("id", ROUTE)).isNull();
    }

    @Test
    void countReturnsOfTheSameEvent() {
        returnedMessages.note("id", ROUTE, "312 NO_ROUTE");
        returnedMessages.note("id", ROUTE, "312 NO_ROUTE");

        assertThat(returnedMessages.take("id", ROUTE)).isNotNull();
        assertThat(returnedMessages.take("id", ROUTE)).isNotNull();
        assertThat(returnedMessages.take("id", ROUTE)).isNull();
    }
}
