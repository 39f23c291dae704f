package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import catbox.devservices.RabbitMqBroker;
import catbox.devservices.RabbitMqServer;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.jdbc.SchemaInstaller;

/** {@code --check} tries everything, says what is wrong, and leaves everything as it was. */
class CheckIT {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void endsWithZeroWhenEverythingCanBeReached() throws Exception {
        DatabaseServer postgres = DevServices.postgres();
        String url = postgres.createDatabase("check_fine");
        HttpServer api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.start();
        try {
            int status = check("""
                    sources:
                      orders: { url: '%s', user: postgres, schema: install }
                    destinations:
                      broker: { kind: kafka, bootstrap-servers: '%s' }
                      api: { kind: http, base-url: 'http://127.0.0.1:%d', allow-private-addresses: true }
                    routes:
                      - { name: all, to: [broker, api] }
                    """.formatted(
                            url,
                            DevServices.kafka().bootstrapServers(),
                            api.getAddress().getPort()));

            assertThat(said())
                    .contains("source orders: ok, ", "will be installed at the start")
                    .contains("destination broker: ok, kafka, reached")
                    .contains("destination api: ok, http, reached");
            assertThat(status).isZero();
            assertThat(tables(url)).isZero();
        } finally {
            api.stop(0);
        }
    }

    @Test
    void saysWhatFailedAndEndsWithTwo() throws Exception {
        DatabaseServer postgres = DevServices.postgres();
        String other = postgres.createDatabase("check_other_terms");
        new SchemaInstaller(() -> DriverManager.getConnection(other, postgres.user(), "")).install();
        int nobody = unusedPort();

        int status = check("""
                sources:
                  down: { url: 'jdbc:postgresql://127.0.0.1:%d/x', user: postgres }
                  empty: { url: '%s', user: postgres }
                  other: { url: '%s', user: postgres, partitions: 12 }
                destinations:
                  broker: { kind: kafka, bootstrap-servers: '127.0.0.1:%d' }
                  api: { kind: http, base-url: 'http://127.0.0.1:%d', allow-private-addresses: true }
                  guarded: { kind: http, base-url: 'http://127.0.0.1:%d' }
                  rabbit: { kind: rabbitmq, host: 127.0.0.1, port: %d }
                  queue: { kind: sqs, queue: orders, region: eu-west-1, endpoint: 'http://127.0.0.1:%d',
                           access-key: a, secret-key: b }
                routes:
                  - { name: all, to: broker }
                """.formatted(
                        nobody, postgres.createDatabase("check_empty"), other, nobody, nobody, nobody, nobody, nobody));

        assertThat(said().lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains("catbox.yaml: ok"),
                        line -> assertThat(line).contains("source down: FAILED", "cannot be reached"),
                        line -> assertThat(line).contains("source empty: FAILED", "does not exist", "schema: install"),
                        line -> assertThat(line).contains("source other: FAILED", "has 6 partitions"),
                        line -> assertThat(line).contains("destination api: FAILED", "the connection was refused"),
                        line -> assertThat(line).contains("destination broker: FAILED", "Kafka"),
                        line -> assertThat(line).contains("destination guarded: FAILED", "allow-private-addresses"),
                        line -> assertThat(line).contains("destination queue: FAILED", "SQS"),
                        line -> assertThat(line).contains("destination rabbit: FAILED", "RabbitMQ"));
        assertThat(status).isEqualTo(2);
    }

    @Test
    void reachesRabbitMqAndNamesAWrongPassword() throws Exception {
        assertThat(RabbitMqServer.unavailableReason())
                .describedAs("RabbitMQ is a Debian package and has to be there")
                .isEmpty();
        RabbitMqBroker rabbit = DevServices.rabbitMq();
        int status = check("""
                sources:
                  orders: { url: 'jdbc:h2:mem:check', schema: install }
                destinations:
                  right: { kind: rabbitmq, host: 127.0.0.1, port: %1$d, user: %2$s, password: %3$s }
                  wrong: { kind: rabbitmq, host: 127.0.0.1, port: %1$d, user: %2$s, password: hidden }
                routes:
                  - { name: all, to: right }
                """.formatted(rabbit.port(), rabbit.user(), rabbit.password()));

        assertThat(said())
                .contains("destination right: ok, rabbitmq, reached")
                .contains("destination wrong: FAILED", "refuses the user or the password")
                .doesNotContain("hidden");
        assertThat(status).isEqualTo(2);
    }

    @Test
    void endsWithOneWhenTheFileIsWrong() throws Exception {
        assertThat(check("sources: { a: { url: nowhere } }\n")).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("line 1: source a: setting url must begin with");
        assertThat(run("--chekc")).isEqualTo(1);
        assertThat(run("--config", folder.resolve("none.yaml").toString())).isEqualTo(1);
        assertThat(run("--help")).isZero();
        assertThat(said()).contains("Usage:");
    }

    @Test
    void remembersFailedLookUpsForASecond() {
        Security.setProperty("networkaddress.cache.negative.ttl", "10"); // As the JDK has it.

        assertThat(run("--help")).isZero();

        assertThat(Security.getProperty("networkaddress.cache.negative.ttl")).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"port: %d", "port: 0, liveness-port: %d"})
    void saysThatItsPortIsTaken(String setting) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path file = Files.writeString(folder.resolve("catbox.yaml"), """
                    server: { %s }
                    sources: { orders: { url: 'jdbc:h2:mem:taken', schema: install } }
                    destinations: { archive: { kind: file, path: %s } }
                    """.formatted(
                            setting.formatted(taken.getLocalPort()), folder.resolve("out")));

            assertThat(run("--config", file.toString())).isEqualTo(1);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .isEqualToIgnoringNewLines("catbox-server: port " + taken.getLocalPort()
                            + " is taken; set another with server.port, or with server.liveness-port if it is"
                            + " that one");
        }
    }

    private int check(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("catbox.yaml"), yaml);
        return run("--check", "--config", file.toString());
    }

    private int run(String... arguments) {
        return CatboxServer.run(
                arguments,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static int tables(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, "postgres", "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")) {
            row.next();
            return row.getInt(1);
        }
    }
}
