package catbox.verification;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServer;
import catbox.devservices.DevServices;
import catbox.devservices.ProgramServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.ThreadLocalTxContext;

/** The command line and a server, each in its own process: the one says what the other understands. */
class CommandLineIT {

    private static final Pattern TOKEN = Pattern.compile("token\\s+(\\S+)\\s+sha256\\s+(\\S+)");
    private static final Pattern DONE = Pattern.compile("(?m)^state\\s+done$");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final DatabaseServer postgres = DevServices.postgres();
    private final String database = postgres.createDatabase("command_line");
    private String url = "";

    /** A token, and what the server knows it by. */
    private record Token(String text, String sha256) {}

    /** How a command ended, and all that it said. */
    private record Ended(int code, String said) {}

    @Test
    void asksAServerAndDoesWhatTheRoleAllows() throws Exception {
        Token viewer = token();
        Token admin = token();
        int port = ProgramServer.freePort();
        url = "http://localhost:" + port;
        try (DevServer server = ProgramServer.start(
                "catbox-server",
                Jars.command(Jars.SERVER),
                Map.of("catbox.yaml", yaml(port, viewer, admin)),
                port,
                "/actuator/health/readiness")) {
            assertThat(server.port()).isEqualTo(port);
            String event = publishDead();

            assertThat(run(viewer, "status")).satisfies(CommandLineIT::worked).satisfies(says("dead        1"));
            assertThat(run(viewer, "event", event)).satisfies(says("HTTP 500 of the shop"));
            assertThat(run(viewer, "dead")).satisfies(says("HTTP")).satisfies(says(event));
            assertThat(run(viewer, "routes", "test", "--type", "OrderPlaced"))
                    .satisfies(says("The event takes route orders"));
            assertThat(run(viewer, "destinations")).satisfies(says("unknown")); // Nothing was delivered yet.
            assertThat(run(viewer, "nodes", "--json")).satisfies(says("\"alive\" : true"));
            assertThat(run(viewer, "dead", "replay", event)).returns(4, Ended::code);
            assertThat(run(viewer, "reveal", event)).returns(4, Ended::code);
            assertThat(run(new Token("wrong", ""), "status")).returns(4, Ended::code);
            assertThat(run(admin, "event", "nothing")).returns(1, Ended::code);
            assertThat(run(admin, "discard", event, "--reason", "old")).returns(2, Ended::code);

            assertThat(run(admin, "reveal", event)).satisfies(says("{\"n\":1}"));
            assertThat(run(admin, "dead", "replay", "--error", "HTTP *", "--yes"))
                    .satisfies(CommandLineIT::worked);
            awaitDone(admin, event);
            assertThat(run(viewer, "destinations")).satisfies(says("up"));
            assertThat(run(admin, "resend", "--from", "1h", "--to", "archive", "--yes"))
                    .satisfies(CommandLineIT::worked);
            assertThat(Files.readString(folder.resolve("archive"))).contains(event);
            assertThat(run(admin, "pause", "key", "order-1", "--reason", "look"))
                    .satisfies(CommandLineIT::worked);
            assertThat(run(viewer, "key", "order-1")).satisfies(says("by token:admin: look"));
            assertThat(run(admin, "audit")).satisfies(says("token:admin")).satisfies(says("replay"));
            assertThat(run(admin, "purge", "--older-than", "0s", "--yes")).satisfies(CommandLineIT::worked);
        }
        assertThat(run(admin, "status")).returns(3, Ended::code);
    }

    private static void worked(Ended ended) {
        assertThat(ended.code()).describedAs("%s", ended.said()).isZero();
    }

    private static Consumer<Ended> says(String text) {
        return ended -> assertThat(ended.said()).contains(text);
    }

    private void awaitDone(Token token, String event) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        Ended shown;
        do {
            shown = run(token, "event", event);
        } while (!DONE.matcher(shown.said()).find() && System.nanoTime() - end < 0);
        assertThat(shown.said()).containsPattern(DONE);
    }

    private Token token() throws IOException, InterruptedException {
        Matcher made = TOKEN.matcher(run(new Token("none", ""), "token").said());
        assertThat(made.find()).isTrue();
        return new Token(made.group(1), made.group(2));
    }

    private Ended run(Token token, String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", "");
        ProcessBuilder builder = new ProcessBuilder(Jars.command(Jars.COMMAND_LINE, arguments))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().put("CATBOX_URL", url);
        builder.environment().put("CATBOX_TOKEN", token.text());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return new Ended(process.exitValue(), Files.readString(out));
        } finally {
            process.destroyForcibly();
        }
    }

    private String publishDead() throws SQLException {
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        OutboxClient client = OutboxClient.storeOnly(new JdbcOutboxRepository().publisher(context));
        JdbcTransactionManager transactions = new JdbcTransactionManager(this::connect, context);
        List<String> ids = new ArrayList<>();
        transactions.run(connection -> {
            ids.add(client.publish(EventEnvelope.builder("OrderPlaced")
                    .aggregateId("order-1")
                    .payloadJson("{\"n\":1}")
                    .build()));
            // In the transaction that stores it, so that no relay sees it alive.
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate(
                        "UPDATE outbox_event SET status = 3, attempts = 3, last_error = 'HTTP 500 of the shop'");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        return ids.getFirst();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(database, postgres.user(), "");
    }

    private String yaml(int port, Token viewer, Token admin) {
        return """
                server: { port: %d, liveness-port: 0 }
                node: { id: first }
                access:
                  tokens:
                    - { name: viewer, sha256: %s }
                    - { name: admin, sha256: %s, role: admin, payload-read: true }
                sources:
                  shop: { url: '%s', user: %s, schema: install }
                destinations:
                  out: { kind: file, path: '%s' }
                  archive: { kind: file, path: '%s' }
                routes:
                  - { name: orders, match: { event-type: 'Order*' }, to: out }
                  - { name: others, to: archive }
                """.formatted(
                        port,
                        viewer.sha256(),
                        admin.sha256(),
                        database,
                        postgres.user(),
                        folder.resolve("out"),
                        folder.resolve("archive"));
    }
}
