package outbox.spring.boot;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import outbox.spi.operations.StatisticsStore;

/** Adds the health indicator and the endpoint {@code outbox}, each if the Actuator has its part enabled. */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnBean(OutboxProperties.class)
public final class OutboxActuatorAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class OfHealth {

        @Bean
        @ConditionalOnMissingBean(name = "outboxHealthIndicator")
        @ConditionalOnEnabledHealthIndicator("outbox")
        OutboxHealthIndicator outboxHealthIndicator(OutboxStore store, EventDelivery delivery) {
            return new OutboxHealthIndicator(store, delivery);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class OfEndpoint {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        OutboxEndpoint outboxEndpoint(
                OutboxProperties properties,
                OutboxStore store,
                EventDelivery delivery,
                ConfiguredRoutes configured,
                StatisticsStore statistics) {
            return new OutboxEndpoint(properties, store, delivery, configured, statistics);
        }
    }
}
