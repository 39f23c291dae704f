package outbox.spring.boot;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.annotation.Transactional;

@SpringBootTest(
        properties =
                "spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
                        + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration")
class JdbcFlowIT extends FlowContract {

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
        OrderPayments payments(JdbcClient jdbc, ApplicationEventPublisher events) {
            jdbc.sql("CREATE TABLE payment (order_id BIGINT PRIMARY KEY, cents INT NOT NULL)")
                    .update();
            return new OrderPayments(jdbc, events);
        }
    }

    static class OrderPayments implements Payments {

        private final JdbcClient jdbc;
        private final ApplicationEventPublisher events;

        OrderPayments(JdbcClient jdbc, ApplicationEventPublisher events) {
            this.jdbc = jdbc;
            this.events = events;
        }

        @Override
        // tag::publish[]
        @Transactional
        public void pay(long orderId, int cents) {
            jdbc.sql("INSERT INTO payment (order_id, cents) VALUES (?, ?)")
                    .params(orderId, cents)
                    .update();
            events.publishEvent(new OrderPaidEvent(orderId, cents)); // Stored here, delivered after commit.
            if (cents == 0) {
                throw new IllegalArgumentException("there is nothing to pay");
            }
        }
        // end::publish[]

        @Override
        public void payWithoutTransaction(long orderId, int cents) {
            events.publishEvent(new OrderPaidEvent(orderId, cents));
        }

        @Override
        public long count(long orderId) {
            return jdbc.sql("SELECT COUNT(*) FROM payment WHERE order_id = ?")
                    .param(orderId)
                    .query(Long.class)
                    .single();
        }
    }
}
