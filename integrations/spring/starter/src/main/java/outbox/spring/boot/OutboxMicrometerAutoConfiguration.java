package outbox.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import outbox.EventListener;
import outbox.micrometer.MicrometerMetrics;
import outbox.micrometer.ObservedDestination;
import outbox.micrometer.ObservedListener;
import outbox.micrometer.PublishObservation;
import outbox.micrometer.RelayMeters;
import outbox.micrometer.StatisticsMeters;
import outbox.relay.Relay;
import outbox.relay.RelayBuilder;
import outbox.spi.Destination;
import outbox.spi.MetricsExporter;
import outbox.spi.operations.StatisticsStore;

/** Adds meters and observations, if the application has a registry of either. */
@AutoConfiguration(
        after = OutboxAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnBean(OutboxProperties.class)
public final class OutboxMicrometerAutoConfiguration {

    /** Limits the age of figures that are read from the table. */
    private static final Duration STATISTICS_REFRESH = Duration.ofSeconds(15);

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class Meters {

        @Bean
        @ConditionalOnMissingBean
        MetricsExporter outboxMetrics(MeterRegistry registry, OutboxProperties properties) {
            return new MicrometerMetrics(registry, properties.table());
        }

        @Bean
        StatisticsMeters outboxStatisticsMeters(StatisticsStore statistics, OutboxProperties properties) {
            return new StatisticsMeters(statistics, properties.table(), STATISTICS_REFRESH);
        }

        @Bean
        RelayMeters outboxRelayMeters(MeterRegistry registry, OutboxProperties properties) {
            return new RelayMeters(registry, properties.table());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(ObservationRegistry.class)
    static class Observations {

        /** Stores the event's trace context with the event. */
        @Bean
        PublishObservation outboxPublishObservation(ObservationRegistry registry) {
            return new PublishObservation(registry);
        }
    }

    @Bean
    DeliveryObserver outboxDeliveryObserver(
            ObjectProvider<ObservationRegistry> observations, ObjectProvider<RelayMeters> meters) {
        return new MicrometerObserver(
                observations.getIfAvailable(() -> ObservationRegistry.NOOP), meters.getIfAvailable());
    }

    private record MicrometerObserver(
            ObservationRegistry registry, @Nullable RelayMeters meters) implements DeliveryObserver {

        @Override
        public Destination around(String name, Destination destination) {
            return ObservedDestination.around(destination, name, registry);
        }

        @Override
        public EventListener around(EventListener listener) {
            return ObservedListener.around(listener, registry);
        }

        @Override
        public RelayBuilder prepare(RelayBuilder relay) {
            return meters == null ? relay : relay.listener(meters);
        }

        @Override
        public void started(Relay relay) {
            if (meters != null) {
                meters.bind(relay);
            }
        }
    }
}
