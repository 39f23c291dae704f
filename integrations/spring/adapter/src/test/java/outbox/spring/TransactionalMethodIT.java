package outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.JdbcOutboxRepository;

class TransactionalMethodIT {

    /** Configuration without Spring Boot. */
    @Configuration
    @EnableTransactionManagement
    static class Application {

        @Bean
        TestDatabase database() {
            return new TestDatabase();
        }

        @Bean
        PlatformTransactionManager transactionManager(TestDatabase database) {
            return new JdbcTransactionManager(database.dataSource);
        }

        @Bean
        RecordingHotPath hotPath() {
            return new RecordingHotPath();
        }

        @Bean
        OutboxClient client(TestDatabase database, RecordingHotPath hotPath) {
            // tag::context[]
            DataSource dataSource = database.dataSource;
            SpringTxContext txContext = new SpringTxContext(dataSource);
            // end::context[]
            return new OutboxClient(new JdbcOutboxRepository().publisher(txContext), hotPath);
        }

        @Bean
        Orders orders(OutboxClient client) {
            return new Orders(client);
        }
    }

    static class Orders {

        private final OutboxClient client;

        Orders(OutboxClient client) {
            this.client = client;
        }

        @Transactional
        public void pay(String eventType, boolean covered) {
            client.publish(EventEnvelope.ofJson(eventType, "{}"));
            if (!covered) {
                throw new IllegalStateException("the card is refused");
            }
        }
    }

    @Test
    void anAnnotatedMethodIsATransaction() {
        try (var context = new AnnotationConfigApplicationContext(Application.class)) {
            Orders orders = context.getBean(Orders.class);

            orders.pay("OrderPaid", true);
            assertThatThrownBy(() -> orders.pay("OrderRefused", false)).hasMessage("the card is refused");

            assertThat(context.getBean(TestDatabase.class).stored()).containsExactly("OrderPaid");
            assertThat(context.getBean(RecordingHotPath.class).types).containsExactly("OrderPaid");
        }
    }
}
