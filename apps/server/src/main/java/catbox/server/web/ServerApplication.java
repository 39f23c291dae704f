package catbox.server.web;

import catbox.server.config.ConfigFile;
import catbox.server.config.LoggingPlan;
import catbox.server.config.ServerConfig;
import catbox.server.engine.Engine;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import outbox.spi.TimeSource;

/** Starts the engine and the web application. Only the server's file configures them. */
public final class ServerApplication {

    private ServerApplication() {}

    /**
     * Starts everything and returns when the web server listens; sources may still be connecting. The port is opened
     * first and reports that the process is alive and not ready. Then the sources and the web application start in
     * parallel, because both take seconds.
     *
     * @throws PortInUseException if another process listens on the port; then nothing was started
     */
    public static ConfigurableApplicationContext start(ConfigFile file) {
        ServerConfig config = file.started();
        StartupPort port = new StartupPort(config.web().address(), config.web().port());
        try {
            return start(file, port);
        } catch (RuntimeException e) {
            port.stop();
            throw e.getCause() instanceof PortInUseException taken ? taken : e;
        }
    }

    private static ConfigurableApplicationContext start(ConfigFile file, StartupPort port) {
        ServerConfig config = file.started();
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Engine engine = new Engine(config, registry);
        ThreadHealth threads = new ThreadHealth(engine::endedThreads, TimeSource.SYSTEM);
        LivenessPort liveness =
                new LivenessPort(config.web().address(), config.web().livenessPort(), threads);
        try {
            StandardEnvironment environment = environment(config, port.port(), liveness.port());
            ServerLogging.setUp(config.logging(), environment);
            // Once everything runs, Spring drains the engine. Until then this hook keeps a terminated server from
            // leaving partitions without an owner.
            Runtime.getRuntime().addShutdownHook(new Thread(engine::close, "catbox-close"));
            engine.start();
            return application(environment, context -> {
                        context.getBeanFactory().registerSingleton("configFile", file);
                        context.getBeanFactory().registerSingleton("engine", engine);
                        context.getBeanFactory().registerSingleton("startupPort", port);
                        context.getBeanFactory().registerSingleton("relaysHealthContributor", threads);
                        context.getBeanFactory().registerSingleton("prometheusMeterRegistry", registry);
                        context.getBeanFactory()
                                .registerSingleton("prometheusRegistry", registry.getPrometheusRegistry());
                        context.getBeanFactory().registerSingleton("livenessPort", liveness);
                        port.setApplication(context);
                    })
                    .run();
        } catch (RuntimeException e) {
            liveness.stop();
            engine.close();
            throw e;
        }
    }

    private static SpringApplication application(
            StandardEnvironment environment,
            ApplicationContextInitializer<ConfigurableApplicationContext> initializer) {
        SpringApplication application = new SpringApplication(ServerConfiguration.class);
        application.setWebApplicationType(WebApplicationType.SERVLET);
        application.setBannerMode(Banner.Mode.OFF);
        application.setAddCommandLineProperties(false);
        application.setLogStartupInfo(false);
        application.setEnvironment(environment);
        application.addInitializers(initializer);
        return application;
    }

    // Takes precedence over everything else, also over an environment variable that is named SERVER_PORT by chance.
    private static StandardEnvironment environment(ServerConfig config, int port, int livenessPort) {
        StandardEnvironment environment = new StandardEnvironment();
        Map<String, Object> properties = properties(config, port);
        properties.put("local.liveness.port", livenessPort);
        environment.getPropertySources().addFirst(new MapPropertySource("catbox", properties));
        return environment;
    }

    private static Map<String, Object> properties(ServerConfig config, int port) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("spring.application.name", "catbox-server");
        // Ignores configuration files in the working directory, and headers that name the origin of a request.
        properties.put("spring.config.location", "classpath:/application.properties");
        properties.put("server.forward-headers-strategy", "none");
        properties.put("management.server.port", port);
        properties.put("server.port", port);
        properties.put("server.address", config.web().address());
        // For sessions without a login; a login extends it.
        properties.put("server.servlet.session.timeout", "10m");
        properties.put("server.servlet.session.cookie.name", "catbox-session");
        properties.put("server.servlet.session.cookie.http-only", true);
        properties.put("server.servlet.session.cookie.same-site", "lax");
        properties.put(
                "server.servlet.session.cookie.secure",
                config.access().sessions().secureCookies());
        properties.put("server.servlet.session.tracking-modes", "cookie");
        properties.put("server.tomcat.use-relative-redirects", true);
        if (config.logging().format() == LoggingPlan.Format.JSON) {
            properties.put("logging.structured.format.console", "ecs");
        }
        return properties;
    }
}
