package outbox.spring.boot;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

/** Small applications for tests. */
final class Applications {

    private static final AtomicInteger COUNTER = new AtomicInteger();

    private Applications() {}

    /** On a database in memory that is new each time. */
    static ApplicationContextRunner onH2() {
        return plain().withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:starter" + COUNTER.incrementAndGet() + ";DB_CLOSE_DELAY=-1",
                        "outbox.schema=install");
    }

    static ApplicationContextRunner withoutDataSource() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(OutboxAutoConfiguration.class, JacksonAutoConfiguration.class));
    }

    /** On whatever database the properties say. */
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
                        OutboxActuatorAutoConfiguration.class,
                        OutboxMicrometerAutoConfiguration.class));
    }
}
