package catbox.verification;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.SchemaInstaller;
import outbox.jdbc.ThreadLocalTxContext;
import outbox.relay.FileDestination;
import outbox.relay.Relay;

/** A relay is killed when one of two destinations has acknowledged: the next one goes only to the other. */
class KilledBetweenAcknowledgementsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void goesOnlyWhereItIsMissing() throws Exception {
        DatabaseServer server = DevServices.postgres();
        String url = server.createDatabase("killed_between");
        Path first = folder.resolve("first.jsonl");
        Path second = folder.resolve("second.jsonl");
        try (HikariDataSource dataSource = FanOutMain.pool(url, server.user())) {
            EventEnvelope event = publish(dataSource);
            Process killed = start(url, server.user(), first);
            try (BufferedReader says = killed.inputReader(StandardCharsets.UTF_8)) {
                assertThat(says.readLine()).isEqualTo("between");
                awaitOne(dataSource, "SELECT count(*) FROM outbox_delivery WHERE target = 'first'");
            } finally {
                killed.destroyForcibly().waitFor();
            }
            assertThat(Files.readAllLines(first)).hasSize(1);

            try (Relay relay = FanOutMain.relay(dataSource, "next", first, new FileDestination(second))) {
                relay.start();
                awaitOne(dataSource, "SELECT count(*) FROM outbox_event WHERE status = 1");
            }

            assertThat(Files.readAllLines(first)).as("it had acknowledged").hasSize(1);
            assertThat(Files.readAllLines(second)).singleElement().asString().contains(event.eventId());
            assertThat(count(dataSource, "SELECT count(*) FROM outbox_delivery"))
                    .as("it is not needed any more")
                    .isZero();
        }
    }

    private static EventEnvelope publish(HikariDataSource dataSource) throws SQLException {
        DataSourceConnectionProvider connections = new DataSourceConnectionProvider(dataSource);
        new SchemaInstaller(connections).install();
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        OutboxClient client = OutboxClient.storeOnly(new JdbcOutboxRepository().publisher(context));
        EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", "{}");
        new JdbcTransactionManager(connections, context).run(connection -> client.publish(event));
        return event;
    }

    private static Process start(String url, String user, Path first) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FanOutMain.class.getName(),
                        url,
                        user,
                        first.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void awaitOne(HikariDataSource dataSource, String query) {
        Instant until = Instant.now().plus(PATIENCE);
        while (count(dataSource, query) != 1) {
            assertThat(Instant.now())
                    .as("the time by which there is one: " + query)
                    .isBefore(until);
        }
    }

    private static long count(HikariDataSource dataSource, String query) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new AssertionError(query, e);
        }
    }
}
