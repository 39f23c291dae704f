package outbox.spring.boot;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.annotation.Transactional;

@SpringBootTest(properties = "spring.jpa.hibernate.ddl-auto=create")
class JpaFlowIT extends FlowContract {

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) {
        use(registry, TestDatabases.postgres());
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Mailer mailer() {
            return new Mailer();
        }

        @Bean
        OrderPayments payments(EntityManager entities, ApplicationEventPublisher events) {
            return new OrderPayments(entities, events);
        }
    }

    /** A row of the business data. */
    @Entity
    static class Payment {

        @Id
        private long orderId;

        private int cents;

        Payment() {}

        Payment(long orderId, int cents) {
            this.orderId = orderId;
            this.cents = cents;
        }

        int cents() {
            return cents;
        }

        long orderId() {
            return orderId;
        }
    }

    static class OrderPayments implements Payments {

        private final EntityManager entities;
        private final ApplicationEventPublisher events;

        OrderPayments(EntityManager entities, ApplicationEventPublisher events) {
            this.entities = entities;
            this.events = events;
        }

        @Override
        @Transactional
        public void pay(long orderId, int cents) {
            entities.persist(new Payment(orderId, cents));
            events.publishEvent(new OrderPaidEvent(orderId, cents));
            if (cents == 0) {
                throw new IllegalArgumentException("there is nothing to pay");
            }
        }

        @Override
        public void payWithoutTransaction(long orderId, int cents) {
            events.publishEvent(new OrderPaidEvent(orderId, cents));
        }

        @Override
        public long count(long orderId) {
            return entities.find(Payment.class, orderId) == null ? 0 : 1;
        }
    }
}
