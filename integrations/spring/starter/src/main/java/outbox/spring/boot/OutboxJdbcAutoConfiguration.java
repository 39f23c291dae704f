package outbox.spring.boot;

import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.spi.PublishStore;
import outbox.spi.TxContext;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.StatisticsStore;
import outbox.spring.SpringTxContext;
import outbox.spring.boot.OutboxProperties.Store;

/** Configures the outbox in tables of a DataSource. The application's own beans take precedence. */
@AutoConfiguration(afterName = {StoreChoice.DATA_SOURCES, StoreChoice.MONGO_FACTORIES})
@ConditionalOnBooleanProperty(name = "outbox.enabled", matchIfMissing = true)
@ConditionalOnClass({DataSource.class, JdbcOutboxRepository.class, DependsOnDatabaseInitialization.class})
@ConditionalOnStore(Store.JDBC)
@Import(DatabaseInitializationDependencyConfigurer.class)
public final class OutboxJdbcAutoConfiguration {

    /** Runs after Flyway, Liquibase and scripts, because they may create the tables. */
    @Bean
    @DependsOnDatabaseInitialization
    JdbcStore outboxStore(ListableBeanFactory beans, OutboxProperties properties) {
        return JdbcStore.of(beans, properties).prepared(properties.schema());
    }

    @Bean
    @ConditionalOnMissingBean
    TxContext outboxTxContext(JdbcStore store) {
        return new SpringTxContext(store.dataSource());
    }

    @Bean
    @ConditionalOnMissingBean
    PublishStore outboxPublishStore(JdbcStore store, TxContext txContext) {
        return store.stores().publishing(txContext);
    }

    @Bean
    @ConditionalOnMissingBean
    StatisticsStore outboxStatisticsStore(JdbcStore store) {
        return store.stores().statistics();
    }

    @Bean
    @ConditionalOnMissingBean
    OperatorStore outboxOperatorStore(JdbcStore store) {
        return store.stores().operations();
    }
}
