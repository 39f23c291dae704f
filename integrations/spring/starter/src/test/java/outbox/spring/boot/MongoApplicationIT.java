package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.micrometer.StatisticsMeters;
import outbox.mongodb.MongoTxContext;
import outbox.spring.SpringMongoTxContext;
import outbox.testkit.Await;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks an application on MongoDB, property by property. */
class MongoApplicationIT {

    private final ApplicationContextRunner application =
            Applications.onMongo().withUserConfiguration(Transactions.class);

    @TempDir
    private Path folder;

    @Configuration(proxyBeanMethods = false)
    static class Transactions {

        @Bean
        MongoTransactionManager transactionManager(MongoDatabaseFactory factory) {
            return new MongoTransactionManager(factory);
        }
    }

    // ---- where the events are ------------------------------------------------------------------------------------

    @Test
    void eventsAreInTheApplicationsOwnDatabaseUnlessPropertiesSayOtherwise() {
        application.withBean(Mailer.class).run(context -> {
            pay(context, 1);
            context.getBean(Mailer.class).received().next();

            String own = context.getBean(MongoDatabaseFactory.class)
                    .getMongoDatabase()
                    .getName();
            assertThat(context.getBean(MongoStore.class).description())
                    .isEqualTo("collection outbox_event of database " + own);
            assertThat(collections(context, own)).contains("outbox_event", "outbox_meta");
        });
    }

    @Test
    void databaseAndCollectionCanBeChosen() {
        application
                .withBean(Mailer.class)
                .withPropertyValues("outbox.mongo-database=starter_events", "outbox.table=orders_event")
                .run(context -> {
                    pay(context, 1);
                    context.getBean(Mailer.class).received().next();

                    assertThat(collections(context, "starter_events")).contains("orders_event", "orders_meta");
                    context.getBean(MongoClient.class)
                            .getDatabase("starter_events")
                            .drop();
                });
    }

    private static List<String> collections(ApplicationContext context, String database) {
        return context.getBean(MongoClient.class)
                .getDatabase(database)
                .listCollectionNames()
                .into(new ArrayList<>());
    }

    @Test
    void missingCollectionsAreReportedWithTheirInstallation() {
        application.withPropertyValues("outbox.schema=check").run(context -> {
            FailureAnalysis analysis = analysis(context);
            assertThat(analysis.getDescription()).contains("outbox_meta", "has no document about outbox_event");
            assertThat(analysis.getAction()).contains("outbox.schema=install");
        });
    }

    @Test
    void schemaNoneChecksNothing() {
        application
                .withPropertyValues("outbox.schema=none", "outbox.delivery=none")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(OutboxClient.class));
    }

    @Test
    void refusesPropertiesOfTables() {
        application
                .withPropertyValues("outbox.data-source=orders")
                .run(context ->
                        assertThat(analysis(context).getDescription()).contains("outbox.data-source", "in MongoDB"));
        application
                .withPropertyValues("outbox.table=a$b")
                .run(context -> assertThat(analysis(context).getDescription()).contains("outbox.table", "\"a$b\""));
    }

    @Test
    void theApplicationsOwnBeansWin() {
        application
                .withUserConfiguration(OwnContext.class)
                .run(context ->
                        assertThat(context.getBean(MongoTxContext.class)).isSameAs(context.getBean("ownTxContext")));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnContext {

        @Bean
        MongoTxContext ownTxContext(MongoDatabaseFactory factory) {
            return new SpringMongoTxContext(factory);
        }
    }

    // ---- delivery ------------------------------------------------------------------------------------------------

    /** An application whose relay polls the collection once an hour unless it is woken. */
    private ApplicationContextRunner relaying() {
        return application.withPropertyValues(
                "outbox.delivery=relay",
                "outbox.node-id=shop-1",
                "outbox.relay.poll-interval-max=1h",
                "outbox.destinations.log.kind=file",
                "outbox.destinations.log.path=" + folder.resolve("log.txt"));
    }

    @Test
    void relayDeliversEventsOfBothApplicationsInTheOrderOfTheirKey() {
        relaying().run(relay -> {
            Await.until("the relay has its partitions", () -> partitions(relay) == 6);
            for (int n = 0; n < 5; n++) {
                publish(relay, n);
            }
            application.withPropertyValues("outbox.delivery=none").run(shop -> {
                assertThat(shop.getBean(EventDelivery.class).details()).isEqualTo(Map.of("wakesRelays", true));
                for (int n = 5; n < 10; n++) {
                    publish(shop, n);
                }
                Await.until("all have arrived", () -> numbers().size() == 10);
            });
            assertThat(numbers()).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
            assertThat(relay.getBean(EventDelivery.class).problem()).isNull();
        });
    }

    @Test
    void eventsOfAnotherApplicationWaitForThePollIfWakingIsOff() {
        application
                .withPropertyValues("outbox.delivery=none", "outbox.wake-up=off")
                .run(shop -> assertThat(shop.getBean(EventDelivery.class).details())
                        .isEqualTo(Map.of("wakesRelays", false)));
    }

    private static int partitions(ApplicationContext context) {
        return context.getBean(EventDelivery.class).details().get("partitions") instanceof Set<?> partitions
                ? partitions.size()
                : 0;
    }

    private static void publish(ApplicationContext context, int n) {
        EventEnvelope event = EventEnvelope.builder("Counted")
                .aggregateId("one-key")
                .payloadJson("{\"n\":" + n + "}")
                .build();
        context.getBean(TransactionTemplate.class)
                .executeWithoutResult(
                        status -> context.getBean(OutboxClient.class).publish(event));
    }

    /**
     * Returns the numbers that have arrived, in the order of their first arrival. Repetitions are allowed and prove
     * nothing.
     */
    private List<String> numbers() {
        try {
            Path path = folder.resolve("log.txt");
            return Files.exists(path)
                    ? Files.readAllLines(path).stream()
                            .map(line -> line.replaceAll(".*\"n\":(\\d+).*", "$1"))
                            .filter(number -> number.matches("\\d")) // Skips a line that is still being written.
                            .distinct()
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- health --------------------------------------------------------------------------------------------------

    @Test
    void isUpWhileTheCollectionExistsAndDownWhenItIsGone() {
        application.withPropertyValues("outbox.delivery=none").run(context -> {
            OutboxHealthIndicator indicator = context.getBean(OutboxHealthIndicator.class);
            assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);

            context.getBean(MongoDatabaseFactory.class).getMongoDatabase().drop();

            Health health = indicator.health();
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails())
                    .extractingByKey("error")
                    .asString()
                    .contains("collection outbox_event of database starter_", "does not exist");
        });
    }

    @Test
    void endpointAndMetersShowTheState() {
        application
                .withBean(SimpleMeterRegistry.class)
                .withPropertyValues(
                        "outbox.delivery=none",
                        "management.endpoints.web.exposure.include=*",
                        "management.endpoints.jmx.exposure.include=*")
                .run(context -> {
                    pay(context, 1);
                    pay(context, 2);

                    JsonNode description = JsonMapper.shared()
                            .valueToTree(context.getBean(OutboxEndpoint.class).outbox());
                    assertThat(description.at("/store").asString())
                            .startsWith("collection outbox_event of database starter_");
                    assertThat(description.at("/statistics/pending/counted").asInt())
                            .isEqualTo(2);
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    context.getBean(StatisticsMeters.class).bindTo(registry);
                    Await.until(
                            "the pending events are counted",
                            () -> registry.get("outbox.store.pending").gauge().value() == 2.0);
                });
    }

    private static void pay(ApplicationContext context, long orderId) {
        context.getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> context.publishEvent(new OrderPaidEvent(orderId, 100)));
    }

    private static FailureAnalysis analysis(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        FailureAnalysis analysis = new OutboxFailureAnalyzer().analyze(context.getStartupFailure());
        assertThat(analysis).as("analysis of " + context.getStartupFailure()).isNotNull();
        return analysis;
    }
}
