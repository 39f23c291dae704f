package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.NoTransactionException;
import outbox.OutboxClient;

class DispatcherFlowTest {

    private final ApplicationContextRunner application =
            Applications.onH2().withUserConfiguration(OrderApplication.class);

    @Configuration(proxyBeanMethods = false)
    static class OrderApplication {

        @Bean
        Received received() {
            return new Received();
        }

        @Bean
        Mailer mailer(Received received) {
            return new Mailer(received);
        }
    }

    /** A typical listener. */
    static final class Mailer {

        private final Received received;

        Mailer(Received received) {
            this.received = received;
        }

        @OutboxListener
        void onPaid(OrderPaidEvent event) {
            received.add(event);
        }

        @OutboxListener("OrderShipped")
        void onShipped(EventEnvelope event) {
            received.add(event.eventType());
        }
    }

    @Test
    void deliversAnEventOfSpringsPublisherAfterCommit() {
        application.run(context -> {
            OrderPaidEvent paid = new OrderPaidEvent(17, 1250);

            inTransaction(context, () -> {
                context.publishEvent(paid);
                assertThat(context.getBean(Received.class).received()).isEmpty();
            });

            assertThat(context.getBean(Received.class).next()).isEqualTo(paid);
        });
    }

    @Test
    void deliversAnEventOfTheClientAfterCommit() {
        application.run(context -> {
            inTransaction(
                    context,
                    () -> context.getBean(OutboxClient.class).publish(EventEnvelope.ofJson("OrderShipped", "{}")));

            assertThat(context.getBean(Received.class).next()).isEqualTo("OrderShipped");
        });
    }

    @Test
    void outsideATransactionPublishingFailsAtOnce() {
        application.run(context -> assertThatThrownBy(() -> context.publishEvent(new OrderPaidEvent(17, 1250)))
                .isInstanceOf(NoTransactionException.class));
    }

    @Test
    void isStoredByThePublishingThreadAlsoIfEventsAreMulticastOnOthers() {
        application
                .withBean(
                        AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME,
                        ApplicationEventMulticaster.class,
                        DispatcherFlowTest::toOtherThreads)
                .run(context -> {
                    inTransaction(context, () -> context.publishEvent(new OrderPaidEvent(17, 1250)));

                    assertThat(context.getBean(Received.class).next()).isEqualTo(new OrderPaidEvent(17, 1250));
                });
    }

    @OutboxEvent
    static final class OldStyle extends ApplicationEvent {

        private static final long serialVersionUID = 1L;

        OldStyle(Object source) {
            super(source);
        }
    }

    @Test
    void refusesAnApplicationEventAsPayload() {
        application.run(context -> assertThatThrownBy(() -> context.publishEvent(new OldStyle(this)))
                .hasMessageContaining("extends ApplicationEvent"));
    }

    private static ApplicationEventMulticaster toOtherThreads() {
        SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
        multicaster.setTaskExecutor(new SimpleAsyncTaskExecutor());
        return multicaster;
    }

    private static void inTransaction(ApplicationContext context, Runnable work) {
        context.getBean(TransactionTemplate.class).executeWithoutResult(status -> work.run());
    }
}
