package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import outbox.OutboxClient;
import outbox.mongodb.MongoSource;

/** Checks the choice of the store, in applications that never connect to their MongoDB. */
class StoreChoiceTest {

    /** Has tables in memory, and a MongoDB client as well. */
    private final ApplicationContextRunner both =
            Applications.onH2().withConfiguration(Applications.MONGO).withPropertyValues("outbox.delivery=none");

    private final ApplicationContextRunner mongo =
            Applications.withoutDataSource().withConfiguration(Applications.MONGO);

    @Configuration(proxyBeanMethods = false)
    static class Transactions {

        @Bean
        MongoTransactionManager mongoTransactions(MongoDatabaseFactory factory) {
            return new MongoTransactionManager(factory);
        }
    }

    @Test
    void takesTheDataSourceWithoutAMongoTransactionManager() {
        both.run(context -> assertThat(context).hasNotFailed().hasSingleBean(JdbcStore.class));
    }

    @Test
    void refusesADataSourceNextToMongoTransactionsAndNamesBoth() {
        both.withUserConfiguration(Transactions.class)
                .run(context -> assertThat(description(context))
                        .contains("outbox.store", "[dataSource]", "[mongoTransactions]", "jdbc or to mongodb"));
    }

    @Test
    void thePropertyChoosesBetweenBoth() {
        both.withUserConfiguration(Transactions.class)
                .withPropertyValues("outbox.store=jdbc")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(OutboxStore.class)
                        .hasSingleBean(JdbcStore.class));
        both.withUserConfiguration(Transactions.class)
                .withPropertyValues("outbox.store=mongodb", "outbox.schema=none")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(OutboxStore.class)
                        .hasSingleBean(MongoStore.class));
    }

    @Test
    void refusesMongoWithoutATransactionManagerAndNamesTheRemedy() {
        mongo.run(context -> assertThat(description(context))
                .contains("no MongoTransactionManager", "new MongoTransactionManager(factory)"));
        both.withPropertyValues("outbox.store=mongodb")
                .run(context -> assertThat(description(context)).contains("no MongoTransactionManager"));
    }

    @Test
    void refusesAStoreThatIsMissing() {
        Applications.onH2()
                .withPropertyValues("outbox.store=mongodb")
                .run(context -> assertThat(description(context)).contains("is mongodb", "no MongoDatabaseFactory"));
        mongo.withUserConfiguration(Transactions.class)
                .withPropertyValues("outbox.store=jdbc")
                .run(context -> assertThat(description(context)).contains("is jdbc", "no DataSource"));
        both.withPropertyValues("outbox.store=mongo")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("outbox.store"));
    }

    @Test
    void refusesPropertiesOfCollectionsForTables() {
        Applications.onH2()
                .withPropertyValues("outbox.mongo-database=orders")
                .run(context ->
                        assertThat(description(context)).contains("outbox.mongo-database", "outbox.store to mongodb"));
    }

    @Test
    void canBeSwitchedOffWithEitherStore() {
        both.withUserConfiguration(Transactions.class)
                .withPropertyValues("outbox.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(OutboxClient.class));
    }

    @Test
    void tablesNeedNoMongoClasses() {
        Applications.onH2()
                .withClassLoader(new FilteredClassLoader(
                        MongoSource.class.getPackageName(),
                        "org.springframework.data.mongodb",
                        "com.mongodb",
                        "org.bson"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(OutboxClient.class));
    }

    @Test
    void collectionsNeedNoJdbcClasses() {
        mongo.withUserConfiguration(Transactions.class)
                .withClassLoader(new FilteredClassLoader(
                        "outbox.jdbc", "org.springframework.jdbc", "org.springframework.boot.jdbc", "com.zaxxer"))
                .withPropertyValues("outbox.schema=none", "outbox.delivery=none")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(MongoClient.class)
                        .hasSingleBean(OutboxClient.class));
    }

    private static String description(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        FailureAnalysis analysis = new OutboxFailureAnalyzer().analyze(context.getStartupFailure());
        assertThat(analysis).as("analysis of " + context.getStartupFailure()).isNotNull();
        return analysis.getDescription();
    }
}
