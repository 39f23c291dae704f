package catbox.server;

import catbox.server.config.ConfigFile;
import catbox.server.config.ServerConfigReader;
import catbox.server.engine.Engine;
import catbox.server.web.ServerApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;

/** The server in this process, on a free port, with a file that can be rewritten. */
public final class TestServer implements AutoCloseable {

    private final HttpClient client = HttpClient.newHttpClient();
    private final Path file;
    private final ConfigurableApplicationContext context;

    private TestServer(Path file, ConfigurableApplicationContext context) {
        this.file = file;
        this.context = context;
    }

    public static TestServer start(Path folder, String yaml) throws IOException {
        return start(folder, yaml, Map.of("HOSTNAME", "node-1"));
    }

    public static TestServer start(Path folder, String yaml, Map<String, String> environment) throws IOException {
        Path file = Files.writeString(folder.resolve("catbox.yaml"), withAccess(yaml));
        ServerConfigReader reader = new ServerConfigReader(environment::get);
        return new TestServer(file, ServerApplication.start(new ConfigFile(file, reader, reader.read(file))));
    }

    void rewrite(String yaml) throws IOException {
        Files.writeString(file, withAccess(yaml));
    }

    /** Adds a token with the role viewer if the test configures no access. */
    private static String withAccess(String yaml) {
        return yaml.lines().anyMatch(line -> line.startsWith("access:"))
                ? yaml
                : yaml
                        + "\naccess: { tokens: [ { name: viewer, sha256: \"%s\" } ] }\n"
                                .formatted(TestAccess.sha256("viewer"));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path).POST(HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The address of the web server. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port());
    }

    /** The port of liveness alone. */
    int livenessPort() {
        return context.getEnvironment().getRequiredProperty("local.liveness.port", Integer.class);
    }

    /** The engine of the server. */
    Engine engine() {
        return context.getBean(Engine.class);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
    }

    private String port() {
        return String.valueOf(context.getEnvironment().getProperty("local.server.port"));
    }

    public String awaitReady() {
        return Eventually.value("the server is ready", () -> {
            boolean ready = get("/actuator/health/readiness").statusCode() == 200;
            return ready ? health("readiness") : null;
        });
    }

    /** The health of a part, with its details. */
    String health(String part) throws IOException, InterruptedException {
        HttpRequest request = request("/actuator/health/" + part)
                .header("Authorization", "Bearer viewer")
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** The sum of all samples of a meter. */
    double meter(String name) throws IOException, InterruptedException {
        HttpRequest request = request("/actuator/prometheus")
                .header("Authorization", "Bearer viewer")
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofLines())
                .body()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Waits until the health of a part says this, and returns it. */
    String awaitHealth(String part, String text) {
        return Eventually.value(part + " says " + text, () -> {
            String body = health(part);
            return body.contains(text) ? body : null;
        });
    }

    @Override
    public void close() {
        client.close();
        context.close();
    }
}
