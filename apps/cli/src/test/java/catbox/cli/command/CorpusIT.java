package catbox.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.cli.connection.Targets;
import catbox.devservices.DatabaseServer;
import catbox.devservices.DevServices;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.testkit.RowCorpus;
import outbox.testkit.RowCorpus.OddRow;

/** Commands directly on a table that has odd rows of every kind: each shows what is there, and none fails. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class CorpusIT {

    private static final String H2 = "jdbc:h2:mem:corpus;DB_CLOSE_DELAY=-1";

    private final TestTerminal terminal = new TestTerminal();
    private List<OddRow> rows = List.of();

    /** One database of each kind whose driver comes with the command line. */
    static Stream<String> databases() {
        return Stream.of("PostgreSQL", "MariaDB", "H2");
    }

    private void open(String product) throws SQLException {
        if (product.equals("H2")) {
            open(H2, "sa", "");
            return;
        }
        DatabaseServer server = product.equals("MariaDB") ? DevServices.mariaDb() : DevServices.postgres();
        open(server.createDatabase("corpus"), server.user(), server.password());
    }

    private void open(String url, String user, String password) throws SQLException {
        terminal.opening = new Targets("anna");
        terminal.environment.put("CATBOX_DATABASE", url);
        terminal.environment.put("CATBOX_USER", user);
        terminal.environment.put("CATBOX_PASSWORD", password);
        does("schema", "migrate", "--yes");
        try (Connection connection = DriverManager.getConnection(url, user, password)) {
            RowCorpus.open(connection);
            rows = RowCorpus.insert(connection);
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void everyRowIsShownAndTheDoctorNamesThoseThatNoSlotShows(String product) throws SQLException {
        open(product);
        assertThat(rows).hasSizeGreaterThan(60);
        does("status");
        for (String state : List.of("pending", "retry", "done", "dead")) {
            does("events", "--state", state);
        }
        does("events", "--limit", "200");
        does("dead");
        for (OddRow row : rows) {
            does("event", row.eventId());
        }
        does("event", idOf("status 9"), "--json");
        does("key", idOf("key of 255 cats"));
        assertThat(does("event", idOf("status 9"))).contains("status 9 is unknown; 0, 1, 2 and 3 are known");

        TestTerminal.Result doctor = terminal.run("doctor");
        assertThat(doctor.code()).isEqualTo(ExitCode.WRONG);
        assertThat(doctor.out()).contains("[rows-unreadable]");
        does("discard", idOf("status 9"), "--reason", "nonsense", "--yes");
        does("dead", "replay", idOf("status 4"), "--yes");
        assertThat(does("event", idOf("status 4"))).contains("after: new, with no attempts");
    }

    private String idOf(String label) {
        return rows.stream()
                .filter(row -> row.label().equals(label))
                .findFirst()
                .orElseThrow()
                .eventId();
    }

    private String does(String... arguments) {
        TestTerminal.Result result = terminal.run(arguments);
        assertThat(result.code())
                .describedAs("%s: %s", String.join(" ", arguments), result.err())
                .isZero();
        return result.out();
    }
}
