package outbox.spring.boot;

import org.bson.Document;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.annotation.Transactional;

@SpringBootTest(
        properties =
                "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
                        + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
class MongoFlowIT extends FlowContract {

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) {
        use(registry, TestDatabases.mongo());
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {

        // tag::manager[]
        @Bean
        MongoTransactionManager transactionManager(MongoDatabaseFactory factory) {
            return new MongoTransactionManager(factory);
        }
        // end::manager[]

        @Bean
        Mailer mailer() {
            return new Mailer();
        }

        @Bean
        OrderPayments payments(MongoTemplate mongo, ApplicationEventPublisher events) {
            mongo.createCollection("payment");
            return new OrderPayments(mongo, events);
        }
    }

    static class OrderPayments implements Payments {

        private final MongoTemplate mongo;
        private final ApplicationEventPublisher events;

        OrderPayments(MongoTemplate mongo, ApplicationEventPublisher events) {
            this.mongo = mongo;
            this.events = events;
        }

        @Override
        // tag::publish[]
        @Transactional
        public void pay(long orderId, int cents) {
            mongo.insert(new Document("_id", orderId).append("cents", cents), "payment");
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
            return mongo.count(Query.query(Criteria.where("_id").is(orderId)), "payment");
        }
    }
}
