package outbox.spring.boot;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import outbox.OutboxClient;
import outbox.spi.PublishStep;
import outbox.spi.PublishStore;
import outbox.spring.boot.OutboxProperties.Store;
import tools.jackson.databind.json.JsonMapper;

/** Configures publishing, up to the commit. The application's own beans take precedence. */
@AutoConfiguration(
        after = {OutboxJdbcAutoConfiguration.class, OutboxMongoAutoConfiguration.class, JacksonAutoConfiguration.class})
@ConditionalOnBooleanProperty(name = "outbox.enabled", matchIfMissing = true)
@ConditionalOnStore({Store.JDBC, Store.MONGODB})
@EnableConfigurationProperties(OutboxProperties.class)
@Import(DeliveryConfiguration.class)
public final class OutboxAutoConfiguration {

    @Bean
    DeferredHotPath outboxHotPath() {
        return new DeferredHotPath();
    }

    /** Depends on the store itself, so that the store is ready before the first publication. */
    @Bean
    @ConditionalOnMissingBean
    OutboxClient outboxClient(
            PublishStore publishStore, DeferredHotPath hotPath, OutboxStore store, ObjectProvider<PublishStep> steps) {
        return steps.orderedStream()
                .reduce(new OutboxClient(publishStore, hotPath), OutboxClient::with, (first, second) -> second);
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
