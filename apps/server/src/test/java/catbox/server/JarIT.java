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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
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
        Process process = start("--default-signal=HUP", log, "-Xlog:class+load:file=" + loaded);
        try {
            int first = Eventually.value("the port answers", () -> answer(process, log, port, "readiness"));
            assertThat(first).describedAs("readiness when the port is open").isEqualTo(503);
            assertThat(answer(process, log, port, "liveness")).isEqualTo(200);
            System.out.printf("catbox-server was alive after %d ms%n", (System.nanoTime() - started) / 1_000_000);
            Eventually.happens("the jar is ready", () -> answer(process, log, port, "readiness") == 200);
            System.out.printf("catbox-server was ready after %d ms%n", (System.nanoTime() - started) / 1_000_000);
            assertThat(nodes(port)).contains("\"version\":\"" + version() + "\"");
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

    @Test
    void saysThatSignalsDoNotReloadItWhenItWasStartedWithSighupIgnored() throws Exception {
        String url = DevServices.postgres().createDatabase("jar_nohup");
        int port = unusedPort();
        Path config = Files.writeString(folder.resolve("catbox.yaml"), yaml(url, port, "first"));
        Path log = folder.resolve("log");
        Process process = start("--ignore-signal=HUP", log);
        try {
            Eventually.happens("the jar is ready", () -> answer(process, log, port, "readiness") == 200);
            assertThat(Files.readAllLines(log))
                    .filteredOn(line -> line.contains("started with SIGHUP ignored"))
                    .singleElement()
                    .asString()
                    .contains("POST /reload", "server.reload-on-change");

            Files.writeString(config, yaml(url, port, "second"));
            signal(process, "HUP");
            URI reload = URI.create("http://127.0.0.1:" + port + "/reload");
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(reload)
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo("{\"reloaded\":true,\"complaints\":[]}");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Starts the jar with a disposition of SIGHUP that is this test's choice, and not of whoever started the test. */
    private Process start(String disposition, Path log, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("env", disposition));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-jar", JAR.toAbsolutePath().toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .directory(folder.toFile())
                .start();
    }

    private int answer(Process process, Path log, int port, String health) throws IOException, InterruptedException {
        assertThat(process.isAlive()).describedAs("%s", Files.readString(log)).isTrue();
        URI address = URI.create("http://127.0.0.1:" + port + "/actuator/health/" + health);
        return client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private String nodes(int port) throws IOException, InterruptedException {
        URI address = URI.create("http://127.0.0.1:" + port + "/api/sources/orders/nodes");
        return client.send(
                        HttpRequest.newBuilder(address)
                                .header("Authorization", "Bearer viewer")
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static String version() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            String version = jar.getManifest().getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
            assertThat(version).isNotBlank();
            return version;
        }
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
                server: { port: %d, liveness-port: 0 }
                logging: { format: json }
                node: { id: jar }
                sources:
                  orders: { url: '%s', user: postgres, schema: install }
                destinations:
                  %s: { kind: file, path: %s }
                access: { tokens: [ { name: viewer, sha256: "%s" } ] }
                """.formatted(port, url, destination, folder.resolve(destination), TestAccess.sha256("viewer"));
    }
}
