package outbox.spring.boot;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

/** Small applications for tests. */
final class Applications {

    private static final AtomicInteger COUNTER = new AtomicInteger();

    private Applications() {}

    /** An application on a new in-memory database. */
    static ApplicationContextRunner onH2() {
        return plain().withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:starter" + COUNTER.incrementAndGet() + ";DB_CLOSE_DELAY=-1",
                        "outbox.schema=install");
    }

    static ApplicationContextRunner withoutDataSource() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        OutboxAutoConfiguration.class,
                        OutboxJdbcAutoConfiguration.class,
                        OutboxMongoAutoConfiguration.class,
                        JacksonAutoConfiguration.class));
    }

    /** An application on a new MongoDB database, without a DataSource. */
    static ApplicationContextRunner onMongo() {
        return new ApplicationContextRunner()
                .withConfiguration(MONGO)
                .withConfiguration(AutoConfigurations.of(
                        TransactionAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        OutboxAutoConfiguration.class,
                        OutboxMongoAutoConfiguration.class,
                        OutboxActuatorAutoConfiguration.class,
                        OutboxMicrometerAutoConfiguration.class))
                .withPropertyValues(TestDatabases.mongo());
    }

    /** MongoDB as Boot configures it; {@link #plain()} has none of it. */
    static final AutoConfigurations MONGO =
            AutoConfigurations.of(MongoAutoConfiguration.class, DataMongoAutoConfiguration.class);

    /** An application on the database that the properties name. */
    static ApplicationContextRunner plain() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceInitializationAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        OutboxAutoConfiguration.class,
                        OutboxJdbcAutoConfiguration.class,
                        OutboxMongoAutoConfiguration.class,
                        OutboxActuatorAutoConfiguration.class,
                        OutboxMicrometerAutoConfiguration.class));
    }
}
