package catbox.verification.console;

import catbox.devservices.DevServer;
import catbox.devservices.DevServices;
import catbox.devservices.ProgramServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The server as it is shipped, in a process of its own, with a source for each class of tests, so that none sees what
 * another does, and one that is not there.
 */
final class Server implements AutoCloseable {

    private static final Path JAR = Path.of("../../apps/server/target/catbox-server.jar");

    private final Map<String, Outbox> sources = new LinkedHashMap<>();
    private final DevServer process;

    Server(String receivers) {
        String url = DevServices.postgres().createDatabase("console");
        for (String source : List.of("orders", "payments", "shop", "stock")) {
            sources.put(source, new Outbox(url, "outbox_" + source));
        }
        int port = ProgramServer.freePort();
        process = ProgramServer.start(
                "catbox-server",
                command(),
                Map.of("catbox.yaml", file(port, url, receivers)),
                port,
                "/login"); // Liveness answers before there is a console.
    }

    private static List<String> command() {
        if (!Files.exists(JAR)) {
            throw new IllegalStateException(
                    JAR.toAbsolutePath().normalize() + " is missing: build it first, as ./catbox test does");
        }
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:TieredStopAtLevel=1", // It starts faster, and lives for a minute.
                "-jar",
                JAR.toAbsolutePath().normalize().toString(),
                "--config",
                "catbox.yaml");
    }

    private static String file(int port, String url, String receivers) {
        return """
                server: { port: %1$d, liveness-port: 0 }
                node: { id: node-1, heartbeat: 500ms, node-timeout: 4s }
                sources:
                  legacy: { url: 'jdbc:postgresql://127.0.0.1:1/gone', user: postgres }
                  orders: { url: '%2$s', user: postgres, table: outbox_orders, schema: install, workers: 1 }
                  payments:
                    { url: '%2$s', user: postgres, table: outbox_payments, schema: install, workers: 1, on-dead-event: pause-key }
                  shop:
                    url: '%2$s'
                    user: postgres
                    table: outbox_shop
                    schema: install
                    workers: 1
                    retry-max-delay: 1s
                    max-attempts: 1000 # What is stuck stays so until a test lets it go.
                  stock: { url: '%2$s', user: postgres, table: outbox_stock, schema: install, workers: 1 }
                destinations:
                  invoicing:
                    kind: http
                    mode: single
                    base-url: '%3$s/invoices'
                    final-statuses: 422
                    allow-private-addresses: true
                  warehouse:
                    kind: http
                    mode: single
                    base-url: '%3$s/warehouse'
                    allow-private-addresses: true
                    breaker-failures: 0
                  archive: { kind: file, path: archive }
                  lake: { kind: file, path: lake, paused: true }
                routes:
                  - { name: invoices, match: { event-type: 'Order*' }, to: invoicing }
                  - { name: parcels, match: { event-type: 'Parcel*' }, to: warehouse }
                  - { name: tests, match: { tenant: test }, drop: events of tests are for nobody }
                  - { name: clicks, match: { event-type: Click }, to: lake }
                  - { name: everything-else, to: archive }
                access:
                  users:
                    - { name: viewer, password: '%4$s', role: viewer }
                    - { name: reader, password: '%4$s', role: viewer, payload-read: true }
                    - { name: operator, password: '%4$s', role: operator }
                    - { name: admin, password: '%4$s', role: admin }
                    - { name: chief, password: '%4$s', role: admin, payload-read: true }
                """.formatted(port, url, receivers, Person.PASSWORD_HASH);
    }

    String url() {
        return "http://127.0.0.1:" + process.port();
    }

    /** An application's side of a source, by its name. */
    Outbox source(String name) {
        return Objects.requireNonNull(sources.get(name));
    }

    @Override
    public void close() {
        process.close();
    }
}
