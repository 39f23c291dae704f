package catbox.bench;

import catbox.devservices.DevServer;
import catbox.devservices.ProgramServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Runs a server in a separate process. It reads the table and delivers nothing, because its node has no weight. */
final class AdminServer implements AutoCloseable {

    private static final String TOKEN = "bench";

    private final DevServer server;
    private final String api;
    private final HttpClient client = HttpClient.newHttpClient();

    AdminServer(String url, String user) {
        int port = ProgramServer.freePort(8081);
        String file = """
                server:
                  port: %d
                  liveness-port: 0
                node:
                  id: bench
                  weight: 0
                access:
                  tokens:
                    - { name: bench, sha256: "%s", role: viewer }
                sources:
                  orders:
                    url: "%s"
                    user: %s
                destinations:
                  nowhere:
                    kind: http
                    base-url: http://127.0.0.1:9/
                """.formatted(port, sha256(), url, user);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        this.server = ProgramServer.start(
                "catbox-server",
                List.of(java, "-jar", LatencyPath.serverJar().toString()),
                Map.of("catbox.yaml", file),
                port,
                "/actuator/health/liveness");
        this.api = "http://127.0.0.1:" + port + "/api/sources/orders/";
    }

    private static String sha256() {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the whole body, so that its size counts. */
    String get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(api + path))
                .header("Authorization", "Bearer " + TOKEN)
                .build();
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(path + " answered " + response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (IOException e) {
            throw new IllegalStateException(path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(path, e);
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
