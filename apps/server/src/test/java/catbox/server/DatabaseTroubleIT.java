package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.DatabaseServer;
import catbox.devservices.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.testkit.Stopwatch;

/** A source whose database cannot be worked on does not stop the server, and is taken up when it can. */
class DatabaseTroubleIT {

    @TempDir
    Path folder;

    private DatabaseServer postgres;

    @BeforeEach
    void open() {
        postgres = PostgresServer.start();
    }

    @AfterEach
    void close() {
        postgres.close();
    }

    @Test
    void waitsForADatabaseThatIsDownAtTheStart() throws Exception {
        postgres.stop();
        try (TestServer server = TestServer.start(folder, yaml("", "schema: install"))) {
            assertThat(server.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
            String readiness = server.awaitHealth("readiness", "cannot be reached");
            assertThat(readiness).contains("see whether it runs", "\"DOWN\"");
            assertThat(server.get("/actuator/health/readiness").statusCode()).isEqualTo(503);

            postgres.start();
            server.awaitReady();
            TestTable table = new TestTable(postgres, postgres.jdbcUrl(), "outbox_event");
            table.publish("OrderPlaced", "order-1", "{}");
            table.awaitDone(1);
        }
        assertThat(Files.readString(folder.resolve("out.jsonl"))).contains("OrderPlaced");
    }

    @Test
    void goesOnAfterTheDatabaseWasGoneAndLogsLittleOfIt() throws Exception {
        try (TestServer server = TestServer.start(folder, yaml("", "schema: install"))) {
            server.awaitReady();
            try (LogLines log = new LogLines()) {
                double before = server.meter("outbox_relay_failures_total");
                postgres.kill();
                server.awaitHealth("sources/orders/database", "\"DOWN\"");
                Eventually.happens(
                        "parts of the relay have failed 15 times",
                        () -> server.meter("outbox_relay_failures_total") >= before + 15);

                postgres.start();
                server.awaitHealth("sources/orders/registry", "\"UP\"");
                TestTable table = new TestTable(postgres, postgres.jdbcUrl(), "outbox_event");
                table.publish("OrderPlaced", "order-1", "{}");
                table.awaitDone(1);
                Eventually.happens(
                        "the end of the outage is logged",
                        () -> !log.with("the store works again").isEmpty());

                assertThat(log.with("the store failed")).as("%s", log.all()).hasSize(1);
                // Beside these, that its lease was over and its slots are lost; and one a minute.
                assertThat(log.warnings()).as("%s", log.all()).hasSizeLessThan(15);
                assertThat(log.withStackTrace()).isEmpty();
            }
        }
    }

    @Test
    void answersFromWhatItKnowsWhileTheDatabaseIsFrozen() throws Exception {
        try (TestServer server = TestServer.start(folder, yaml("", "schema: install"))) {
            server.awaitReady();
            List<Long> known = new ArrayList<>();
            List<Long> nothing = new ArrayList<>();
            postgres.pause();
            try {
                String health = Eventually.value("the database is down", () -> {
                    nothing.add(millis(() -> server.get("/actuator/health/liveness")));
                    Stopwatch.Lap<String> asked = Stopwatch.lap(() -> server.health("sources/orders/database"));
                    known.add(asked.took().toMillis());
                    return asked.answer().contains("\"DOWN\"") ? asked.answer() : null;
                });
                assertThat(health).contains("problem");
            } finally {
                postgres.resume();
            }
            // Beside one that depends on nothing, since this machine may be busy.
            assertThat(median(known)).describedAs("%s", known).isLessThan(median(nothing) + 100);
            assertThat(Collections.max(known)).isLessThan(1_500);
            server.awaitHealth("sources/orders/database", "\"UP\"");
        }
    }

    private static long millis(Callable<?> question) throws Exception {
        return Stopwatch.lap(question).took().toMillis();
    }

    private static long median(List<Long> millis) {
        return millis.stream().sorted().toList().get(millis.size() / 2);
    }

    @Test
    void saysThatThePasswordIsWrong() throws Exception {
        demandPasswordOf("relay");
        try (TestServer server = TestServer.start(
                folder, yaml("password: wrong", "schema: install").replace("user: postgres", "user: relay"))) {
            String health = server.awaitHealth("sources/orders/database", "refuses the user");
            assertThat(health).contains("relay", "or the password: check both").doesNotContain("wrong");
        }
    }

    @Test
    void saysThatTheTablesAreMissing() throws Exception {
        try (TestServer server = TestServer.start(folder, yaml("", "schema: check"))) {
            server.awaitHealth("sources/orders/registry", "table outbox_meta does not exist");
        }
    }

    @Test
    void saysThatTheTableIsWorkedOnOtherTerms() throws Exception {
        try (TestServer server = TestServer.start(folder, yaml("", "schema: install"))) {
            server.awaitReady();
        }
        try (TestServer server = TestServer.start(folder, yaml("partitions: 9", "schema: install"))) {
            server.awaitHealth("sources/orders/assignment", "has 6 partitions");
        }
    }

    /** Everybody else is still let in as before. */
    private void demandPasswordOf(String user) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE " + user + " LOGIN PASSWORD 'right'");
            try (ResultSet row = statement.executeQuery("SHOW hba_file")) {
                row.next();
                String file = row.getString(1);
                statement.execute("COPY (VALUES ('host all " + user + " 127.0.0.1/32 scram-sha-256'),"
                        + " ('host all all 127.0.0.1/32 trust')) TO '" + file + "'");
            }
            statement.execute("SELECT pg_reload_conf()");
        }
    }

    private String yaml(String setting, String schema) {
        return """
                server: { port: 0 }
                sources:
                  orders:
                    url: %s
                    user: postgres
                    connect-timeout: 2s
                    %s
                    %s
                destinations:
                  archive: { kind: file, path: %s }
                """.formatted(postgres.jdbcUrl(), schema, setting, folder.resolve("out.jsonl"));
    }
}
