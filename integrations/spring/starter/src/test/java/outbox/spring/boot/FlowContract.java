package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import outbox.NoTransactionException;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.operations.OperatorStore;
import outbox.testkit.Await;

/** Checks the path from a transactional service method to a listener, in an application that Boot configures. */
@SpringBootTest
abstract class FlowContract {

    @Autowired
    private Payments payments;

    @Autowired
    private Mailer mailer;

    @Autowired
    private OperatorStore operator;

    /** The business logic of the application. */
    interface Payments {
        /** Pays in a transaction, which fails if there is nothing to pay. */
        void pay(long orderId, int cents);

        long count(long orderId);

        void payWithoutTransaction(long orderId, int cents);
    }

    /** Sets the properties of the application's database. */
    static void use(DynamicPropertyRegistry registry, String[] properties) {
        for (String property : properties) {
            int equals = property.indexOf('=');
            registry.add(property.substring(0, equals), () -> property.substring(equals + 1));
        }
    }

    @BeforeEach
    void forgetEarlierTests() {
        mailer.received().clear();
        mailer.ids().clear();
    }

    @Test
    void storesAnOrderWithItsEventAndDeliversTheEvent() {
        payments.pay(1, 1250);

        awaitDelivered(1, 1250);
        assertThat(payments.count(1)).isEqualTo(1);
    }

    /** Returns the id of the only event since the test began, once both listeners have received it. */
    private String awaitDelivered(long orderId, int cents) {
        assertThat(mailer.received().next()).isEqualTo(new OrderPaidEvent(orderId, cents));
        return mailer.ids().next().toString();
    }

    @Test
    void theEventCarriesTypeAggregateAndKeyAndEndsAsDone() {
        payments.pay(2, 300);

        String id = awaitDelivered(2, 300);
        Await.until("event is done", () -> operator.find(id).orElseThrow().status() == EventStatus.DONE);
        OutboxEvent event = operator.find(id).orElseThrow();
        assertThat(event.eventType()).isEqualTo("OrderPaid");
        assertThat(event.aggregateType()).isEqualTo("Order");
        assertThat(event.aggregateId()).isEqualTo("2");
        assertThat(event.orderingKey()).isEqualTo("2");
        assertThat(event.payloadJson()).isEqualTo("{\"orderId\":2,\"cents\":300}");
    }

    @Test
    void aRefusedPaymentLeavesNothing() {
        assertThatThrownBy(() -> payments.pay(3, 0)).hasMessageContaining("nothing to pay");

        assertThat(payments.count(3)).isZero();
        payments.pay(4, 1);
        awaitDelivered(4, 1);
    }

    @Test
    void withoutATransactionNothingIsPublished() {
        assertThatThrownBy(() -> payments.payWithoutTransaction(5, 1)).isInstanceOf(NoTransactionException.class);
    }
}
