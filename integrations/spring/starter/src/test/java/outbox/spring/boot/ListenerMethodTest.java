package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.PermanentFailureException;
import outbox.RetryAfterException;
import outbox.model.Delivery;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.operations.OperatorStore;
import outbox.testkit.Await;

class ListenerMethodTest {

    private final ApplicationContextRunner application = Applications.onH2()
            .withPropertyValues("outbox.dispatcher.retry-base-delay=1ms", "outbox.dispatcher.poller-interval=10ms")
            .withBean(Received.class);

    // ---- what a method is given ----------------------------------------------------------------------------------

    static class Everything {

        private final Received received;

        Everything(Received received) {
            this.received = received;
        }

        @OutboxListener("*")
        public void on(Delivery delivery) {
            received.add(delivery.event().eventType() + " " + delivery.attempt());
        }
    }

    @Test
    void oneMethodMayReceiveEveryType() {
        application.withBean(Everything.class).run(context -> {
            publish(context, EventEnvelope.ofJson("Anything", "{}"));

            assertThat(context.getBean(Received.class).next()).isEqualTo("Anything 1");
        });
    }

    static class InTransaction {

        private final Received received;

        InTransaction(Received received) {
            this.received = received;
        }

        @OutboxListener
        @Transactional
        public void on(OrderPaidEvent event) {
            received.add(TransactionSynchronizationManager.isActualTransactionActive());
        }
    }

    @Test
    void theProxyOfABeanIsCalledAndNotTheBean() {
        application.withBean(InTransaction.class).run(context -> {
            publish(context, EventEnvelope.ofJson("OrderPaid", "{\"orderId\":1,\"cents\":2}"));

            assertThat(context.getBean(Received.class).next()).isEqualTo(true);
        });
    }

    // ---- what becomes of an event --------------------------------------------------------------------------------

    static class Failing {

        private final AtomicInteger calls = new AtomicInteger();
        private final Received received;

        Failing(Received received) {
            this.received = received;
        }

        @OutboxListener("Flaky")
        public void flaky(EventEnvelope event) {
            if (calls.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            received.add("third time");
        }

        @OutboxListener("Hopeless")
        public void hopeless(EventEnvelope event) {
            throw new PermanentFailureException("never");
        }

        @OutboxListener("Later")
        public void later(EventEnvelope event) {
            throw new RetryAfterException(Duration.ofDays(1), "tomorrow");
        }
    }

    @Test
    void anExceptionRepeatsTheDelivery() {
        application.withBean(Failing.class).run(context -> {
            publish(context, EventEnvelope.ofJson("Flaky", "{}"));

            assertThat(context.getBean(Received.class).next()).isEqualTo("third time");
        });
    }

    @Test
    void aPermanentFailureEndsAnEvent() {
        application.withBean(Failing.class).run(context -> {
            String id = publish(context, EventEnvelope.ofJson("Hopeless", "{}"));

            assertThat(settled(context, id, EventStatus.DEAD).state().lastError())
                    .contains("never");
        });
    }

    @Test
    void aMethodMayChooseTheTimeOfTheNextAttempt() {
        application.withBean(Failing.class).run(context -> {
            String id = publish(context, EventEnvelope.ofJson("Later", "{}"));

            OutboxEvent event = settled(context, id, EventStatus.RETRY);
            assertThat(Duration.between(event.createdAt(), event.availableAt())).isGreaterThan(Duration.ofHours(23));
        });
    }

    @Test
    void anUnreadablePayloadIsAPermanentFailureThatDoesNotQuoteIt() {
        application.withBean(InTransaction.class).run(context -> {
            String id = publish(context, EventEnvelope.ofJson("OrderPaid", "{\"orderId\":\"secret\"}"));

            assertThat(settled(context, id, EventStatus.DEAD).state().lastError())
                    .contains("OrderPaid", OrderPaidEvent.class.getName())
                    .doesNotContain("secret");
        });
    }

    @Test
    void aBinaryPayloadIsAPermanentFailureForAMethodThatTakesAnObject() {
        application.withBean(InTransaction.class).run(context -> {
            String id = publish(context, EventEnvelope.ofBytes("OrderPaid", new byte[] {1}));

            assertThat(settled(context, id, EventStatus.DEAD).state().lastError())
                    .contains("binary payload");
        });
    }

    @Test
    void anEventWithoutListenerAndRouteHasFailed() {
        application.withBean(Failing.class).run(context -> {
            String id = publish(context, EventEnvelope.ofJson("Unheard", "{}"));

            assertThat(settled(context, id, EventStatus.RETRY).state().lastError())
                    .contains("no listener is registered");
        });
    }

    private static OutboxEvent settled(ApplicationContext context, String id, EventStatus status) {
        OperatorStore operator = context.getBean(OperatorStore.class);
        Await.until("event is " + status, () -> operator.find(id).orElseThrow().status() == status);
        return operator.find(id).orElseThrow();
    }

    private static String publish(ApplicationContext context, EventEnvelope event) {
        return context.getBean(TransactionTemplate.class)
                .execute(status -> context.getBean(OutboxClient.class).publish(event));
    }

    // ---- methods that cannot be ----------------------------------------------------------------------------------

    static class TwoParameters {
        @OutboxListener("A")
        public void on(EventEnvelope event, String more) {}
    }

    static class Answering {
        @OutboxListener("A")
        public String on(EventEnvelope event) {
            return event.eventId();
        }
    }

    static class AnyClass {
        @OutboxListener("A")
        public void on(String payload) {}
    }

    static class Nameless {
        @OutboxListener
        public void on(EventEnvelope event) {}
    }

    static class Elsewhere {
        @Async
        @OutboxListener("A")
        public void on(EventEnvelope event) {}
    }

    @outbox.spring.boot.OutboxEvent
    interface AnyOrderEvent {}

    static class AnyOf {
        @OutboxListener
        public void on(AnyOrderEvent event) {}
    }

    @Test
    void aMethodThatCannotReceiveEventsFailsAtStartWithItsName() {
        assertRefused(TwoParameters.class, "TwoParameters.on", "one parameter");
        assertRefused(Answering.class, "Answering.on", "return nothing");
        assertRefused(AnyClass.class, "AnyClass.on", "java.lang.String", "@OutboxEvent");
        assertRefused(Nameless.class, "Nameless.on", "event types that it receives");
        assertRefused(Elsewhere.class, "Elsewhere.on", "is @Async");
        assertRefused(AnyOf.class, "AnyOf.on", "AnyOrderEvent, which is abstract");
    }

    private void assertRefused(Class<?> bean, String... description) {
        application.withBean(bean).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).hasMessageContainingAll(description);
        });
    }
}
