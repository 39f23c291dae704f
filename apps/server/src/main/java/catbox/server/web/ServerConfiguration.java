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
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import outbox.spi.TimeSource;

/**
 * The parts of the web application. Spring Boot's are listed in {@code META-INF/spring/}, in the file with the name of
 * this class: to let Boot find the ones that apply would take a second.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration
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
