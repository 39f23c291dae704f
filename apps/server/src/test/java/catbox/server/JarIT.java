package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as operators run it, in a process of its own. */
class JarIT {

    private static final Path JAR = Path.of("target/catbox-server.jar");

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void startsReloadsDrainsAndEndsWithZero() throws Exception {
        DatabaseServer postgres = DevServices.postgres();
        String url = postgres.createDatabase("jar");
        int port = unusedPort();
        Path config = Files.writeString(folder.resolve("catbox.yaml"), yaml(url, port, "first"));
        Path log = folder.resolve("log");
        long started = System.nanoTime();
        Path loaded = folder.resolve("classes");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load:file=" + loaded,
                        "-jar",
                        JAR.toAbsolutePath().toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .directory(folder.toFile())
                .start();
        try {
            Eventually.happens("the jar is ready", () -> {
                assertThat(process.isAlive())
                        .describedAs("%s", Files.readString(log))
                        .isTrue();
                return readiness(port) == 200;
            });
            System.out.printf("catbox-server was ready after %d ms%n", (System.nanoTime() - started) / 1_000_000);
            TestTable table = new TestTable(postgres, url, "outbox_event");
            table.publish("A", "k", "{}");
            table.awaitDone(1);

            Files.writeString(config, yaml(url, port, "second"));
            signal(process, "HUP");
            Eventually.happens("it was read again", () -> Files.readString(log).contains("was read again"));
            table.publish("A", "k", "{}");
            table.awaitDone(2);
            assertThat(Files.readString(folder.resolve("second"))).contains("\"type\":\"A\"");

            signal(process, "TERM");
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .describedAs("%s", Files.readString(log))
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(loaded))
                .describedAs("classes that were loaded: none of a database that there is no source in")
                .contains("org.postgresql.Driver")
                .doesNotContain("com.mongodb.", "org.bson.");
        assertThat(Files.readAllLines(log))
                .allSatisfy(
                        line -> assertThat(line).startsWith("{\"@timestamp\":").endsWith("}"))
                .anySatisfy(line -> assertThat(line).contains("\"logger\":\"outbox.relay\"", "it was stopped"));
    }

    private int readiness(int port) throws IOException, InterruptedException {
        URI health = URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness");
        return client.send(HttpRequest.newBuilder(health).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static void signal(Process process, String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private String yaml(String url, int port, String destination) {
        return """
                server: { port: %d }
                logging: { format: json }
                node: { id: jar }
                sources:
                  orders: { url: '%s', user: postgres, schema: install }
                destinations:
                  %s: { kind: file, path: %s }
                """.formatted(port, url, destination, folder.resolve(destination));
    }
}
