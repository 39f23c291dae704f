package outbox.spring.boot;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoTransactionManager;
import outbox.mongodb.MongoSource;
import outbox.mongodb.MongoStores;
import outbox.mongodb.MongoTxContext;
import outbox.spi.PublishStore;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.StatisticsStore;
import outbox.spring.SpringMongoTxContext;
import outbox.spring.boot.OutboxProperties.Store;

/** Configures the outbox in collections of MongoDB. The application's own beans take precedence. */
@AutoConfiguration(afterName = {StoreChoice.DATA_SOURCES, StoreChoice.MONGO_FACTORIES})
@ConditionalOnBooleanProperty(name = "outbox.enabled", matchIfMissing = true)
@ConditionalOnClass({MongoTransactionManager.class, MongoSource.class})
@ConditionalOnStore(Store.MONGODB)
public final class OutboxMongoAutoConfiguration {

    @Bean
    MongoStore outboxStore(ListableBeanFactory beans, OutboxProperties properties) {
        return MongoStore.of(beans, properties).prepared(properties.schema());
    }

    @Bean
    @ConditionalOnMissingBean
    MongoTxContext outboxTxContext(MongoStore store) {
        return new SpringMongoTxContext(store.factory());
    }

    @Bean
    @ConditionalOnMissingBean
    PublishStore outboxPublishStore(MongoStore store, MongoTxContext txContext) {
        return new MongoStores(store.source()).publishing(txContext);
    }

    @Bean
    @ConditionalOnMissingBean
    StatisticsStore outboxStatisticsStore(MongoStore store) {
        return new MongoStores(store.source()).statistics();
    }

    @Bean
    @ConditionalOnMissingBean
    OperatorStore outboxOperatorStore(MongoStore store) {
        return new MongoStores(store.source()).operations();
    }
}
