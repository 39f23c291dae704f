package catbox.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.cli.connection.Targets;
import catbox.cli.output.Json;
import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.TableNames;
import outbox.jdbc.ThreadLocalTxContext;
import tools.jackson.databind.JsonNode;

/** Commands directly on a PostgreSQL database, without a server. */
class DirectIT {

    private static final DatabaseServer POSTGRES = DevServices.postgres();
    private static final TableNames TABLES = new TableNames("shop_event");

    private final TestTerminal terminal = new TestTerminal();
    private final List<String> ids = new ArrayList<>();
    private String url;

    @BeforeEach
    void open(TestInfo test) {
        url = POSTGRES.createDatabase(
                test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT));
        terminal.opening = new Targets("anna");
        terminal.environment.put("CATBOX_DATABASE", url);
        terminal.environment.put("CATBOX_USER", POSTGRES.user());
        terminal.environment.put("CATBOX_TABLE", TABLES.event());
    }

    @Test
    void theDoctorExaminesTheDatabase() throws SQLException {
        assertThat(terminal.run("doctor").out()).contains("[tables-missing]");
        does("schema", "migrate", "--yes");
        assertThat(does("doctor")).isEqualTo("No problems were found.\n");

        try (Connection connection = DriverManager.getConnection(url, POSTGRES.user(), POSTGRES.password());
                Statement statement = connection.createStatement()) {
            statement.execute("DROP INDEX shop_event_due");
        }
        TestTerminal.Result found = terminal.run("doctor");
        assertThat(found.code()).isEqualTo(ExitCode.WRONG);
        assertThat(found.out()).contains("[index-missing]", "shop_event_due", "1 error, 0 warnings");

        terminal.environment.put("CATBOX_USER", "stranger");
        TestTerminal.Result refused = terminal.run("doctor");
        assertThat(refused.code()).isEqualTo(ExitCode.WRONG);
        assertThat(refused.out()).contains("[credentials-refused]", "stranger");
    }

    @Test
    void makesTheTablesAndWorksOnThem() throws SQLException {
        TestTerminal.Result none = terminal.run("overview");
        assertThat(none.code()).isEqualTo(ExitCode.NOT_POSSIBLE);
        assertThat(does("schema", "migrate", "--yes", "--search-indexes"))
                .contains("bring table shop_event to version 1", "create the indexes for searches", "Done.");
        assertThat(does("schema", "migrate", "--yes", "--search-indexes")).isEqualTo("There is nothing to do.\n");
        does("schema", "check");

        publishDead(3);
        assertThat(does("status")).contains("dead        3");
        assertThat(does("events", "--type", "OrderPlaced")).contains(ids);
        assertThat(does("dead")).contains("HTTP").contains("OrderPlaced");
        assertThat(does("event", ids.get(0))).contains("state       dead").contains("HTTP 500 of order 0");
        assertThat(does("reveal", ids.get(0))).contains("{\"n\":0}");

        does("edit", ids.get(0), "--payload", "-", "--reason", "typo", "--yes");
        assertThat(does("reveal", ids.get(0)))
                .contains("{\"n\":99}", "The payload was edited. It was published as:\n{\"n\":0}");
        does("discard", ids.get(1), "--reason", "nobody wants it", "--yes");
        does("dead", "replay", "--error", "HTTP *", "--yes");
        assertThat(does("events", "--state", "pending"))
                .contains(ids.get(0), ids.get(2))
                .doesNotContain(ids.get(1));
        assertThat(terminal.run("dead", "replay", "--all").code()).isEqualTo(ExitCode.WRONG);

        does("pause", "key", "key-2", "--reason", "look");
        assertThat(does("key", "key-2")).contains("by anna: look");
        assertThat(does("pauses")).contains("key-2");
        does("resume", "key", "key-2");
        assertThat(does("purge", "--older-than", "0s", "--yes")).contains("1 event");
        JsonNode audit = Json.MAPPER.readTree(does("audit", "--json"));
        assertThat(audit.findValuesAsString("who")).containsOnly("anna");
        assertThat(audit.findValuesAsString("action")).contains("edit", "discard", "replay", "purge", "reveal");
    }

    @Test
    void whatOnlyARelayKnowsNeedsAServer() {
        does("schema", "migrate", "--yes");

        for (String command : List.of("routes", "destinations", "routes test --type A")) {
            TestTerminal.Result result = terminal.run(command.split(" ", -1));
            assertThat(result.code()).isEqualTo(ExitCode.NOT_POSSIBLE);
            assertThat(result.err()).contains("needs a running server, not the database alone");
        }
    }

    @Test
    void aDatabaseThatCannotBeReachedIsSaidSo() {
        terminal.environment.put("CATBOX_DATABASE", "jdbc:postgresql://localhost:1/nowhere");
        assertThat(terminal.run("events").code()).isEqualTo(ExitCode.UNREACHABLE);

        terminal.environment.put("CATBOX_DATABASE", url);
        terminal.environment.put("CATBOX_USER", "nobody");
        assertThat(terminal.run("events").code()).isEqualTo(ExitCode.REFUSED);
    }

    private String does(String... arguments) {
        terminal.input = "{\"n\":99}";
        TestTerminal.Result result = terminal.run(arguments);
        assertThat(result.code()).describedAs("%s", result).isZero();
        return result.out();
    }

    private void publishDead(int events) throws SQLException {
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        OutboxClient client = OutboxClient.storeOnly(new JdbcOutboxRepository(TABLES).publisher(context));
        new JdbcTransactionManager(this::connect, context).run(connection -> {
            for (int n = 0; n < events; n++) {
                ids.add(client.publish(EventEnvelope.builder("OrderPlaced")
                        .aggregateId("key-" + n)
                        .payloadJson("{\"n\":" + n + "}")
                        .build()));
            }
        });
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (int n = 0; n < events; n++) {
                statement.executeUpdate(
                        "UPDATE shop_event SET status = 3, attempts = 3, last_error = 'HTTP 500 of order " + n
                                + "' WHERE event_id = '" + ids.get(n) + "'");
            }
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url, POSTGRES.user(), "");
    }
}
