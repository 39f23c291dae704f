package catbox.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import catbox.cli.connection.Target;
import catbox.cli.connection.TargetException;
import catbox.cli.output.Json;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.security.crypto.bcrypt.BCrypt;
import outbox.OutboxException;
import outbox.SchemaException;
import outbox.admin.NeedsServerException;
import outbox.admin.Operation;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.Finding;
import tools.jackson.databind.JsonNode;

/** How commands are called, how they end, and what programs read from them. */
class CallingTest {

    private final TestTerminal terminal = new TestTerminal();

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new NoSuchElementException("there is no event X"), ExitCode.WRONG),
                Arguments.of(new IllegalArgumentException("that makes no sense"), ExitCode.USAGE),
                Arguments.of(
                        new TargetException(TargetException.Kind.UNREACHABLE, "it is down", null),
                        ExitCode.UNREACHABLE),
                Arguments.of(new TargetException(TargetException.Kind.REFUSED, "you may not", null), ExitCode.REFUSED),
                Arguments.of(
                        new OutboxException("refused", new OutboxException("by", new SQLException("x", "08001"))),
                        ExitCode.UNREACHABLE),
                Arguments.of(new OutboxException("who?", new SQLException("x", "28P01")), ExitCode.REFUSED),
                Arguments.of(new NeedsServerException(Operation.ROUTES, "routes are set there"), ExitCode.NOT_POSSIBLE),
                Arguments.of(new SchemaException("table a is of version 3."), ExitCode.NOT_POSSIBLE));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aFailureIsASentenceAndACode(RuntimeException failure, int code) {
        terminal.canned.failure = failure;

        TestTerminal.Result result = terminal.run("overview");

        assertThat(result.code()).isEqualTo(code);
        assertThat(result.err()).isEqualTo("catbox: " + failure.getMessage() + "\n");
        assertThat(result.out()).isEmpty();
    }

    @Test
    void whatIsWrongWithTheTablesSaysWhatToRunHere() {
        terminal.canned.failure =
                new SchemaException("table a is of version 3. Call new SchemaInstaller(x).install().");

        assertThat(terminal.run("overview").err())
                .isEqualTo("catbox: table a is of version 3. Run \"catbox schema migrate\".\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "frobnicate | Unmatched argument",
                "dead frobnicate | Unmatched argument",
                "help frobnicate | there is no command \"frobnicate\"",
                "event | Missing required parameter: 'ID'",
                "discard X | Missing required option: '--reason",
                "events --limit 0 | limit must be from 1 to",
                "events --from yesterday | Invalid value for option '--from': a time is written as 2026-01-31T12:00:00Z",
                "events --state sick | Invalid value for option '--state'",
                "purge --older-than long | Invalid value for option '--older-than': a duration is written as 90s",
                "replay | say which events",
                "replay A --type B | exclude each other",
                "dead replay --state done | done to dead events",
                "pause key --reason x | the name of the key is missing",
                "pause source x --reason x | the whole source has no name",
                "edit X --reason x --yes | changes the payload, the headers or both",
                "schema | Missing required subcommand",
                "schema check | name it with --database",
                "sources --database jdbc:h2:mem:x | a database has no sources",
                "--url http://a --database jdbc:h2:mem:x overview | exclude each other",
            })
    void aWrongCallSaysWhatIsRight(String arguments, String says) {
        TestTerminal.Result result = terminal.run(arguments.split(" ", -1));

        assertThat(result.err()).startsWith("catbox: ").contains(says);
        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "holds | the command \"holds\" is now called \"pauses\"",
                "rebalance --partitions 12 | \"rebalance --partitions 12\" is now called \"repartition 12\""
            })
    void anOldCommandNameIsAnsweredWithTheNewOne(String arguments, String says) {
        TestTerminal.Result result = terminal.run(arguments.split(" ", -1));

        assertThat(result).isEqualTo(new TestTerminal.Result(ExitCode.USAGE, "", "catbox: " + says + "\n"));
        assertThat(terminal.opened).isEmpty();
    }

    @Test
    void optionsOfEveryCommandStandBeforeOrBehindIt() {
        terminal.run("--url", "http://one:1", "overview", "--source", "orders");

        assertThat(terminal.opened).singleElement().isInstanceOfSatisfying(Target.Server.class, server -> {
            assertThat(server.url()).hasToString("http://one:1");
            assertThat(server.source()).contains("orders");
        });
    }

    @Test
    void theDoctorExitsWithOneWhenItFindsAnError() {
        Finding warning = new Finding("bloat", Finding.Severity.WARNING, "Bloated.", "2 GB", "VACUUM");
        terminal.canned.findings = List.of(warning);
        assertThat(terminal.run("doctor").code()).isZero();

        terminal.canned.findings = List.of(
                new Finding(
                        "no-owner", Finding.Severity.ERROR, "Nobody owns 2 partitions.", "0 and 1", "Start a node."),
                warning);
        TestTerminal.Result result = terminal.run("doctor");

        assertThat(result.code()).isEqualTo(ExitCode.WRONG);
        assertThat(result.out()).isEqualTo("""
                error  Nobody owns 2 partitions.  [no-owner]
                  evidence: 0 and 1
                  advice:   Start a node.

                warning  Bloated.  [bloat]
                  evidence: 2 GB
                  advice:   VACUUM

                1 error, 1 warning, 0 info
                """);
    }

    @Test
    void aRouteThatIsNotThereEndsWithOne() {
        TestTerminal.Result result = terminal.run("routes", "test", "--type", "Unknown");

        assertThat(result.code()).isEqualTo(ExitCode.WRONG);
        assertThat(result.out()).endsWith("\nNo route matches the event.\n");
    }

    @Test
    void coloursAreForTerminals() {
        assertThat(terminal.run("nodes").out()).doesNotContain("\u001b");
        terminal.colours = true;
        assertThat(terminal.run("nodes").out()).contains("\u001b[32malive\u001b[0m", "\u001b[31mgone\u001b[0m");
    }

    @Test
    void aNarrowTerminalIsEnough() {
        terminal.width = 40;
        assertThat(terminal.run("version").code()).isZero();
    }

    @Test
    void pagesAreFollowedOnRequest() {
        TestTerminal.Result one = terminal.run("events");
        assertThat(one.err()).isEqualTo("catbox: there is more: --after second, or --all\n");

        TestTerminal.Result all = terminal.run("events", "--all", "--json");
        assertThat(all.out().lines())
                .hasSize(3)
                .allSatisfy(line -> assertThat(
                                Json.MAPPER.readTree(line).get("eventId").asString())
                        .isNotEmpty());
        assertThat(all.err()).isEmpty();

        TestTerminal.Result some = terminal.run("events", "--all", "--json", "--max", "2");
        assertThat(some.out().lines()).hasSize(2);
        assertThat(some.err()).contains("stopped after 2 events; there is more: --after second");
        assertThat(terminal.canned.asked)
                .filteredOn(EventQuery.class::isInstance)
                .hasSize(4);
    }

    @ParameterizedTest
    @CsvSource({
        "overview, pending",
        "events, events",
        "key order-7, reasons",
        "event 01JGGZ3Q8PAAAAAAAAAAAAAAAA, explanation",
        "reveal 01JGGZ3Q8PAAAAAAAAAAAAAAAA, json",
        "schema print --database jdbc:h2:mem:x, schema",
        "schema migrate --yes --database jdbc:h2:mem:x, steps",
        "token, sha256",
        "version, java"
    })
    void aProgramGetsOneDocument(String command, String property) {
        TestTerminal.Result result = terminal.run((command + " --json").split(" ", -1));

        JsonNode document = Json.MAPPER.readTree(result.out());
        assertThat(document.has(property)).describedAs("%s", document).isTrue();
        assertThat(result.code()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "dead, example",
        "nodes, nodeId",
        "partitions, epoch",
        "destinations, state",
        "routes, match",
        "pauses, since",
        "audit, who",
        "sources, state"
    })
    void aProgramGetsListsAsOneDocument(String command, String property) {
        JsonNode document = Json.MAPPER.readTree(terminal.run(command, "--json").out());

        assertThat(document.isArray()).isTrue();
        assertThat(document.get(0).has(property)).describedAs("%s", document).isTrue();
    }

    @Test
    void printsTheSchemaOfTheTableThatTheEnvironmentNames() {
        terminal.environment.put("CATBOX_TABLE", "shop_event");
        assertThat(terminal.run("schema", "print", "--for", "h2").out())
                .contains("shop_event")
                .doesNotContain("outbox_event");
    }

    @Test
    void migratesAfterAnAnswer() {
        terminal.environment.put("CATBOX_DATABASE", "jdbc:h2:mem:x");
        assertThat(terminal.run("schema", "check").code()).isEqualTo(ExitCode.WRONG);
        assertThat(terminal.run("schema", "migrate").code()).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.run("schema", "migrate", "--dry-run").code()).isZero();
        assertThat(terminal.run("schema", "check").code()).isEqualTo(ExitCode.WRONG);

        TestTerminal.Result result = terminal.run("schema", "migrate", "--yes");

        assertThat(result.out()).isEqualTo("bring table outbox_event to version 4 (operate)\nDone.\n");
        assertThat(terminal.run("schema", "check").out()).isEqualTo("The schema is up to date.\n");
        assertThat(terminal.run("schema", "migrate").out()).isEqualTo("There is nothing to do.\n");
    }

    @Test
    void hashesAPasswordThatIsTypedTwice() {
        terminal.typing("correct horse", "correct horse");
        String hash = terminal.run("password").out().strip();
        assertThat(hash).startsWith("{bcrypt}$2a$12$");
        assertThat(BCrypt.checkpw("correct horse", hash.substring("{bcrypt}".length())))
                .isTrue();

        terminal.typing("correct horse", "correct house");
        assertThat(terminal.run("password").err()).isEqualTo("catbox: the two passwords differ\n");
        terminal.typing("short", "short");
        assertThat(terminal.run("password").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aTokenIsKnownByItsDigest() throws NoSuchAlgorithmException {
        JsonNode made = Json.MAPPER.readTree(terminal.run("token", "--json").out());
        String token = made.get("token").asString();
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));

        assertThat(made.get("sha256").asString()).isEqualTo(HexFormat.of().formatHex(digest));
        assertThat(terminal.run("token").out()).doesNotContain(token);
    }

    @Test
    void helpIsShownForACommand() {
        assertThat(terminal.run("help", "dead", "replay").out())
                .startsWith("Usage: catbox dead replay [OPTIONS] [ID...]");
        assertThat(terminal.run("dead", "replay", "--help").out()).startsWith("Usage: catbox dead replay");
        assertThat(terminal.run("help", "nonsense").code()).isEqualTo(ExitCode.USAGE);
    }
}
