package catbox.server.web;

import catbox.console.ConsoleConfiguration;
import catbox.console.Sources;
import catbox.server.access.AccessConfiguration;
import catbox.server.api.ApiConfiguration;
import catbox.server.api.SourceAdmins;
import catbox.server.config.ConfigFile;
import catbox.server.engine.Engine;
import catbox.server.engine.Source;
import catbox.server.pulse.Pulses;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.info.InfoEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.jvm.JvmMetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.logging.logback.LogbackMetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.system.SystemMetricsAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.actuate.web.ServletManagementContextAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.actuate.endpoint.web.WebMvcHealthEndpointExtensionAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import outbox.spi.TimeSource;

/** The parts of the web application. Those of Spring are listed, because finding them would take a second. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    EndpointAutoConfiguration.class,
    JacksonEndpointAutoConfiguration.class,
    WebEndpointAutoConfiguration.class,
    InfoEndpointAutoConfiguration.class,
    ManagementContextAutoConfiguration.class,
    ApplicationAvailabilityAutoConfiguration.class,
    ConfigurationPropertiesAutoConfiguration.class,
    LifecycleAutoConfiguration.class,
    AvailabilityProbesAutoConfiguration.class,
    HealthEndpointAutoConfiguration.class,
    AvailabilityHealthContributorAutoConfiguration.class,
    HealthContributorAutoConfiguration.class,
    HealthContributorRegistryAutoConfiguration.class,
    HttpMessageConvertersAutoConfiguration.class,
    JacksonAutoConfiguration.class,
    CompositeMeterRegistryAutoConfiguration.class,
    MetricsAutoConfiguration.class,
    PrometheusMetricsExportAutoConfiguration.class,
    JvmMetricsAutoConfiguration.class,
    LogbackMetricsAutoConfiguration.class,
    SystemMetricsAutoConfiguration.class,
    ServletManagementContextAutoConfiguration.class,
    TomcatServletWebServerAutoConfiguration.class,
    DispatcherServletAutoConfiguration.class,
    WebMvcAutoConfiguration.class,
    WebMvcHealthEndpointExtensionAutoConfiguration.class,
    ErrorMvcAutoConfiguration.class
})
@Import({AccessConfiguration.class, ApiConfiguration.class, ConsoleConfiguration.class, ReloadController.class})
class ServerConfiguration {

    @Bean
    EngineLifecycle engineLifecycle(Engine engine) {
        return new EngineLifecycle(engine);
    }

    @Bean
    ConnectionLimits connectionLimits() {
        return new ConnectionLimits(Runtime.version().feature());
    }

    /** The registry exists before the application, which therefore does not bind its meters to it. */
    @Bean
    SmartInitializingSingleton boundMeters(PrometheusMeterRegistry registry, List<MeterBinder> binders) {
        return () -> binders.forEach(binder -> binder.bindTo(registry));
    }

    /** The health of the sources, which decides whether this node is ready. */
    @Bean
    CompositeHealthContributor sourcesHealthContributor(Engine engine) {
        return CompositeHealthContributor.fromMap(
                engine.sources(), (Source source) -> new SourceHealth(source, TimeSource.SYSTEM).contributor());
    }

    /** The health of the destinations, which does not affect readiness. */
    @Bean
    CompositeHealthContributor destinationsHealthContributor(Engine engine) {
        return CompositeHealthContributor.fromMap(engine.sources(), DestinationHealth::new);
    }

    @Bean
    Sources consoleSources(SourceAdmins admins, Pulses pulses, ConfigFile file) {
        return new ConsoleSources(admins, pulses, file.started().access());
    }

    @Bean
    Reload reload(ConfigFile file, Engine engine) {
        return new Reload(file, engine);
    }

    @Bean
    ReloadTriggers reloadTriggers(ConfigFile file, Reload reload) {
        return new ReloadTriggers(file, reload);
    }
}
