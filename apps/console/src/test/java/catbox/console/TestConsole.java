package catbox.console;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import outbox.admin.Operation;
import outbox.admin.OutboxAdmin;
import outbox.admin.Role;
import outbox.spi.operations.BoundedCount;

/** The console on a web server of its own, with sources in memory, for one person at a time. */
final class TestConsole implements Sources, AutoCloseable {

    final Map<String, TestSource> sources = new LinkedHashMap<>();
    final Map<String, State> states = new LinkedHashMap<>();
    final List<Pulse> pulses = new ArrayList<>();
    volatile Role role = Role.ADMIN;
    volatile boolean readsPayloads = true;
    private final Tomcat tomcat = new Tomcat();
    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    @EnableWebMvc
    private static final class WebMvc {}

    TestConsole() {
        forget();
        start();
    }

    /** The state after the start: one empty source, and an administrator. */
    void forget() {
        sources.clear();
        states.clear();
        pulses.clear();
        role = Role.ADMIN;
        readsPayloads = true;
        source("orders");
    }

    TestSource source(String name) {
        states.put(name, new State(name, "connected", null));
        return sources.computeIfAbsent(name, each -> new TestSource());
    }

    TestSource orders() {
        return source("orders");
    }

    private void start() {
        AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
        context.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("sources", this));
        context.register(WebMvc.class, ConsoleConfiguration.class);
        try {
            Path folder = Files.createTempDirectory("console");
            tomcat.setBaseDir(folder.toString());
            tomcat.setPort(0);
            tomcat.setSilent(true);
            Context web = tomcat.addContext("", folder.toString());
            Tomcat.addServlet(web, "console", new DispatcherServlet(context)).setLoadOnStartup(1);
            web.addServletMappingDecoded("/", "console");
            tomcat.getConnector();
            tomcat.start();
        } catch (IOException | LifecycleException e) {
            throw new IllegalStateException("the web server does not start", e);
        }
    }

    String url() {
        return "http://localhost:" + tomcat.getConnector().getLocalPort();
    }

    HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(URI.create(url() + path)).GET().build());
    }

    /** Sends a form: names and values in turn. */
    HttpResponse<String> post(String path, String... fields) {
        String body = Links.query(fields, "");
        return send(HttpRequest.newBuilder(URI.create(url() + path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(request + " was not answered", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
    }

    // ---- what the server would know ------------------------------------------------------------------------------

    @Override
    public List<State> states() {
        return List.copyOf(states.values());
    }

    @Override
    public OutboxAdmin admin(String source) {
        TestSource known = sources.get(source);
        if (known == null) {
            throw new NoSuchElementException("there is no source " + source);
        }
        return known.admin("anna");
    }

    @Override
    public Rights rights() {
        return new Rights(
                "anna",
                role.name(),
                operation -> role.includes(operation.role()) && (operation != Operation.REVEAL || readsPayloads));
    }

    @Override
    public Logins logins() {
        return new Logins(true, false);
    }

    @Override
    public List<Pulse> pulses(String source) {
        return List.copyOf(pulses);
    }

    void pulsesForAWhile() {
        Instant start = Instant.now().minusSeconds(299);
        for (int i = 0; i < 300; i++) {
            double rate = 900 + 300 * Math.sin(i / 20.0) + i % 7 * 20;
            pulses.add(new Pulse(
                    start.plusSeconds(i),
                    rate,
                    i % 50 == 0 ? 12 : 0,
                    3.0 + i % 5,
                    14.0 + i % 9,
                    new BoundedCount(40 + i % 11, false),
                    0.2,
                    new BoundedCount(3, false)));
        }
    }
}
