package outbox.spring.boot;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import outbox.OutboxConfig;
import outbox.dispatch.RetryPolicy;
import outbox.relay.config.RelaySettings;
import outbox.spi.MetricsExporter;
import outbox.spi.PublishStore;
import outbox.spi.Settings;

/** Configures delivery, which is everything after the commit. */
@Configuration(proxyBeanMethods = false)
class DeliveryConfiguration {

    private static final Logger LOG = System.getLogger(DeliveryConfiguration.class.getName());
    private static final String DELIVERY = "outbox.delivery";

    @Bean
    ConfiguredRoutes outboxRoutes(OutboxProperties properties) {
        return ConfiguredRoutes.read(properties);
    }

    @Bean
    WakeUps outboxWakeUps(OutboxStore store, OutboxProperties properties) {
        return new WakeUps(store, properties.wakeUp());
    }

    @Bean
    OutboxLifecycle outboxLifecycle(EventDelivery delivery, DeferredHotPath hotPath) {
        return new OutboxLifecycle(delivery, hotPath);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = DELIVERY, havingValue = "dispatcher", matchIfMissing = true)
    static class ByDispatcher {

        @Bean
        DispatcherDelivery outboxDelivery(
                OutboxStore store,
                PublishStore publishStore,
                DispatcherDelivery.Plan plan,
                ConfiguredRoutes configured,
                ListenerMethods methods) {
            return new DispatcherDelivery(store, publishStore, plan, configured, methods);
        }

        @Bean
        DispatcherDelivery.Plan outboxDispatcherPlan(
                OutboxProperties properties,
                ObjectProvider<RetryPolicy> retryPolicy,
                ObjectProvider<MetricsExporter> metrics,
                ObjectProvider<DeliveryObserver> observer) {
            return new DispatcherDelivery.Plan(
                    dispatcherConfig(properties),
                    relaySettings(properties, Map.of(), "").retention(),
                    Optional.ofNullable(retryPolicy.getIfAvailable()),
                    metrics.getIfAvailable(() -> MetricsExporter.NOOP),
                    observer.getIfAvailable(() -> DeliveryObserver.NONE));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = DELIVERY, havingValue = "relay")
    static class ByRelay {

        @Bean
        RelayDelivery outboxDelivery(
                OutboxStore store,
                RelaySettings plan,
                ConfiguredRoutes configured,
                ListenerMethods methods,
                WakeUps wakeUps,
                ObjectProvider<DeliveryObserver> observer) {
            return new RelayDelivery(
                    store, plan, configured, methods, wakeUps, observer.getIfAvailable(() -> DeliveryObserver.NONE));
        }

        @Bean
        RelaySettings outboxRelaySettings(OutboxProperties properties, Environment environment) {
            return relaySettings(properties, properties.relay(), nodeId(properties, environment));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = DELIVERY, havingValue = "none")
    static class Elsewhere {

        @Bean
        NoDelivery outboxDelivery(WakeUps wakeUps) {
            return new NoDelivery(wakeUps);
        }
    }

    private static OutboxConfig dispatcherConfig(OutboxProperties properties) {
        OutboxConfig config = properties.dispatcher().toConfig();
        Duration giveUpAfter = properties.giveUpAfter();
        return giveUpAfter == null
                ? config
                : ConfiguredRoutes.read("outbox.give-up-after", () -> config.setGiveUpAfterMs(giveUpAfter.toMillis()));
    }

    // Dispatcher and relay read the retention in one place, so that its properties mean the same for both.
    private static RelaySettings relaySettings(OutboxProperties properties, Map<String, String> relay, String nodeId) {
        return ConfiguredRoutes.read("outbox.relay", () -> {
            Map<String, String> values = FlatSettings.of(relay);
            properties.retention().forEach((key, value) -> values.put("retention." + key, value));
            Settings settings = new Settings("outbox.relay", "outbox.relay", values);
            RelaySettings read = RelaySettings.read(settings, nodeId.isEmpty() ? "none" : nodeId);
            settings.requireAllKnown();
            return read;
        });
    }

    private static String nodeId(OutboxProperties properties, Environment environment) {
        if (properties.nodeId() != null) {
            return properties.nodeId();
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            LOG.log(
                    Level.DEBUG,
                    "this host has no name, so the relay takes the application's name: {0}",
                    e.getMessage());
            return environment.getProperty("spring.application.name", "application");
        }
    }
}
