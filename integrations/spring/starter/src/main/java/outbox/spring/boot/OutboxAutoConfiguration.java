package outbox.spring.boot;

import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import outbox.OutboxClient;
import outbox.jdbc.JdbcAdminStore;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcStatisticsStore;
import outbox.spi.AdminStore;
import outbox.spi.JdbcPublishStore;
import outbox.spi.PublishStep;
import outbox.spi.PublishStore;
import outbox.spi.StatisticsStore;
import outbox.spi.TxContext;
import outbox.spring.SpringTxContext;
import tools.jackson.databind.json.JsonMapper;

/** Publish and store: everything up to the commit. The application's own beans win. */
@AutoConfiguration(after = {DataSourceAutoConfiguration.class, JacksonAutoConfiguration.class})
@ConditionalOnBean(DataSource.class)
@ConditionalOnBooleanProperty(name = "outbox.enabled", matchIfMissing = true)
@EnableConfigurationProperties(OutboxProperties.class)
@Import({DatabaseInitializationDependencyConfigurer.class, DeliveryConfiguration.class})
public final class OutboxAutoConfiguration {

    @Bean
    OutboxDatabase outboxDatabase(ListableBeanFactory beans, OutboxProperties properties) {
        return OutboxDatabase.of(beans, properties);
    }

    /** After Flyway, Liquibase and scripts, which may be what makes the tables. */
    @Bean
    @DependsOnDatabaseInitialization
    OutboxSchema outboxSchema(OutboxDatabase database, OutboxProperties properties) {
        return new OutboxSchema(database, properties.schema());
    }

    @Bean
    @ConditionalOnMissingBean
    TxContext outboxTxContext(OutboxDatabase database) {
        return new SpringTxContext(database.dataSource());
    }

    @Bean
    @ConditionalOnMissingBean
    PublishStore outboxPublishStore(OutboxDatabase database, TxContext txContext) {
        return new JdbcPublishStore(txContext, new JdbcOutboxRepository(database.tables()));
    }

    @Bean
    @ConditionalOnMissingBean
    StatisticsStore outboxStatisticsStore(OutboxDatabase database) {
        return new JdbcStatisticsStore(database.connections(), database.tables());
    }

    @Bean
    @ConditionalOnMissingBean
    AdminStore outboxAdminStore(OutboxDatabase database) {
        return new JdbcAdminStore(database.connections(), database.tables());
    }

    @Bean
    LateHotPath outboxHotPath() {
        return new LateHotPath();
    }

    /** Needs the schema, so that whoever can publish has tables to publish into. */
    @Bean
    @ConditionalOnMissingBean
    OutboxClient outboxClient(
            PublishStore store, LateHotPath hotPath, OutboxSchema schema, ObjectProvider<PublishStep> steps) {
        return steps.orderedStream()
                .reduce(new OutboxClient(store, hotPath), OutboxClient::with, (first, second) -> second);
    }

    @Bean
    EventCodec outboxEventCodec(ObjectProvider<JsonMapper> json) {
        return new EventCodec(json.getIfAvailable(JsonMapper::shared));
    }

    @Bean
    DomainEventStore outboxDomainEventStore(OutboxClient client, EventCodec codec) {
        return new DomainEventStore(client, codec);
    }

    @Bean
    ListenerMethods outboxListenerMethods(
            ConfigurableListableBeanFactory beans, EventCodec codec, OutboxProperties properties) {
        return new ListenerMethods(beans, codec, properties.delivery());
    }
}
