package catbox.bench.spring;

import catbox.bench.contender.Business;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** The business transaction in a Spring Boot application, with Spring's transactions. */
public final class SpringBusiness implements AutoCloseable {

    private final HikariDataSource dataSource;
    private final ConfigurableApplicationContext context;
    private final TransactionTemplate transactions;

    /**
     * Starts the application.
     *
     * @param beans adds further beans to the data source, which closes with the application
     */
    public SpringBusiness(
            Class<?> application,
            HikariDataSource dataSource,
            Map<String, Object> settings,
            Consumer<GenericApplicationContext> beans) {
        this.dataSource = dataSource;
        this.context = new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(settings)
                .initializers(starting -> {
                    GenericApplicationContext registry = (GenericApplicationContext) starting;
                    registry.registerBean(HikariDataSource.class, () -> dataSource);
                    beans.accept(registry);
                })
                .run();
        this.transactions = context.getBean(TransactionTemplate.class);
    }

    public ConfigurableApplicationContext context() {
        return context;
    }

    public HikariDataSource dataSource() {
        return dataSource;
    }

    /** Runs one business transaction with additional work. */
    public void transaction(long number, Runnable more) {
        transaction(() -> {
            try {
                Business.insertOrder(DataSourceUtils.getConnection(dataSource), number);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            more.run();
        });
    }

    public void transaction(Runnable work) {
        transactions.executeWithoutResult(transaction -> work.run());
    }

    @Override
    public void close() {
        context.close();
    }
}
