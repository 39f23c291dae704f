package outbox.spring.boot.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DevServices;
import catbox.devservices.MongoDbServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.internal.Ulids;
import outbox.spring.boot.OutboxListener;

/** An application with this starter alone. */
class MongoStarterIT {

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {

        final CompletableFuture<String> received = new CompletableFuture<>();

        @Bean
        MongoTransactionManager transactionManager(MongoDatabaseFactory factory) {
            return new MongoTransactionManager(factory);
        }

        @OutboxListener("OrderPlaced")
        void on(EventEnvelope event) {
            received.complete(event.aggregateId());
        }
    }

    @Test
    void startsWithoutADataSourceAndDelivers() throws Exception {
        if (MongoDbServer.givenUri().isEmpty()) {
            MongoDbServer.unavailableReason().ifPresent(why -> {
                System.err.println("!!! SKIPPED: the starter for MongoDB. " + why);
                Assumptions.abort(why);
            });
        }
        assertThat(ClassUtils.isPresent(
                        "outbox.jdbc.JdbcOutboxRepository", getClass().getClassLoader()))
                .isFalse();
        try (ConfigurableApplicationContext context = SpringApplication.run(
                Application.class,
                "--spring.mongodb.uri=" + DevServices.mongoDbUri(),
                "--spring.mongodb.database=starter_" + Ulids.SYSTEM.next(),
                "--spring.main.web-application-type=none",
                "--outbox.schema=install")) {
            EventEnvelope event = EventEnvelope.builder("OrderPlaced")
                    .aggregateId("order-1001")
                    .payloadJson("{}")
                    .build();
            context.getBean(TransactionTemplate.class)
                    .executeWithoutResult(
                            status -> context.getBean(OutboxClient.class).publish(event));

            assertThat(context.getBean(Application.class).received.get(30, TimeUnit.SECONDS))
                    .isEqualTo("order-1001");
            context.getBean(MongoDatabaseFactory.class).getMongoDatabase().drop();
        }
    }
}
