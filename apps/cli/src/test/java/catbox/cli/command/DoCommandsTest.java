package catbox.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.cli.output.Screen;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.admin.Operation;
import outbox.admin.Operation.Request;
import outbox.admin.view.OperationResult;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.Selection;
import outbox.spi.relay.Pause;

/** What the commands that change something ask for, and when they ask back. */
class DoCommandsTest {

    private final TestTerminal terminal = new TestTerminal();

    private TestTerminal.Result does(String... arguments) {
        TestTerminal.Result result = terminal.run(arguments);
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        return result;
    }

    @Test
    void replaysByIdWithoutAsking() {
        does("replay", "A", "B", "--reason", "the shop is back");

        Selection ids = new Selection.Ids(List.of("A", "B"));
        assertThat(terminal.canned.asked)
                .containsExactly(
                        new Request.Replay(ids, true, "the shop is back"),
                        new Request.Replay(ids, false, "the shop is back"));
    }

    @Test
    void replaysByFilterWhatWasCounted() {
        terminal.canned.answers.add(new OperationResult(12, false, true, null, "12 would match"));
        terminal.typing("yes");

        TestTerminal.Result result = terminal.run("replay", "--state", "done", "--from", "2h", "--type", "OrderPaid");

        EventFilter filter = EventFilter.ALL
                .withState(State.DONE)
                .withEventType("OrderPaid")
                .createdBetween(CannedAdmin.NOW.minus(Duration.ofHours(2)), null);
        assertThat(terminal.questions).containsExactly("12 would match. Replay them? [y/N] ");
        assertThat(terminal.canned.asked)
                .hasSize(2)
                .last()
                .isEqualTo(new Request.Replay(matching(filter), false, null));
        assertThat(result.out()).isEqualTo("It is done\n");
    }

    @Test
    void deadReplayMeansDeadEvents() {
        does("dead", "replay", "--all", "--yes");

        assertThat(terminal.canned.asked)
                .last()
                .isEqualTo(new Request.Replay(matching(EventFilter.ALL.withState(State.DEAD)), false, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"discard", "dead discard"})
    void discardsDeadEvents(String command) {
        does((command + " --error HTTP* --reason old --yes").split(" ", -1));

        EventFilter filter = EventFilter.ALL.withState(State.DEAD).withError("HTTP*");
        assertThat(terminal.canned.asked).last().isEqualTo(new Request.Discard(matching(filter), false, "old"));
    }

    @ParameterizedTest
    @CsvSource({"discard X --reason old", "purge --older-than 30d", "replay --state dead"})
    void asksNothingAndChangesNothingWithoutATerminal(String command) {
        TestTerminal.Result result = terminal.run(command.split(" ", -1));

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("It is done. ", "--yes");
        assertThat(terminal.canned.asked).hasSize(1); // It was only counted.
    }

    @ParameterizedTest
    @ValueSource(strings = {"n", "", "maybe"})
    void changesNothingUnlessTheAnswerIsYes(String answer) {
        terminal.typing(answer);

        TestTerminal.Result result = terminal.run("purge", "--older-than", "30d");

        assertThat(result.code()).isEqualTo(ExitCode.WRONG);
        assertThat(result.err()).isEqualTo("catbox: nothing was changed\n");
        assertThat(terminal.canned.asked).containsExactly(new Request.Purge(Duration.ofDays(30), true));
    }

    @Test
    void aDryRunOnlyCounts() {
        does("purge", "--older-than", "P30D", "--dry-run");

        assertThat(terminal.canned.asked).containsExactly(new Request.Purge(Duration.ofDays(30), true));
    }

    @Test
    void nothingToDoIsNotAskedFor() {
        terminal.canned.answers.add(new OperationResult(0, false, true, null, "0 would match"));

        TestTerminal.Result result = terminal.run("discard", "X", "--reason", "old");

        assertThat(result.code()).isEqualTo(ExitCode.WRONG);
        assertThat(result.out()).isEqualTo("0 would match\n");
    }

    @Test
    void resendsATimeToAnotherDestination() {
        does("resend", "--from", "2026-01-01T10:00:00Z", "--to", "archive", "--type", "OrderPaid", "--yes");

        assertThat(terminal.canned.asked)
                .last()
                .isEqualTo(new Request.Resend(
                        Instant.parse("2026-01-01T10:00:00Z"), CannedAdmin.NOW, "OrderPaid", "archive", null, false));
    }

    @Test
    void editsWhatADeadEventCarries(@TempDir Path folder) throws IOException {
        Path payload = Files.writeString(folder.resolve("payload"), "{\"a\":2}");
        terminal.typing("y");

        terminal.run(
                "edit",
                CannedAdmin.DEAD_ID,
                "--payload",
                payload.toString(),
                "--header",
                "tenant=acme",
                "--replay",
                "--reason",
                "typo");

        assertThat(terminal.questions)
                .containsExactly("Event " + CannedAdmin.DEAD_ID
                        + " (OrderPlaced, dead) would carry something else and be delivered. Change it? [y/N] ");
        assertThat(terminal.canned.asked)
                .last()
                .isEqualTo(new Request.Edit(
                        CannedAdmin.DEAD_ID, new EventEdit("{\"a\":2}", Map.of("tenant", "acme")), true, "typo"));
    }

    @Test
    void editsFromStandardInput() {
        terminal.input = "{\"a\":3}";

        does("dead", "edit", CannedAdmin.DEAD_ID, "--payload", "-", "--reason", "typo", "--yes");

        assertThat(terminal.canned.asked)
                .last()
                .isEqualTo(new Request.Edit(CannedAdmin.DEAD_ID, new EventEdit("{\"a\":3}", null), false, "typo"));
    }

    @ParameterizedTest
    @CsvSource({
        "source, SOURCE, ''",
        "route orders, ROUTE, orders",
        "destination shop, DESTINATION, shop",
        "partition 3, PARTITION, 3",
        "key order-7, KEY, order-7",
        "node node-1, NODE, node-1"
    })
    void pausesAndResumes(String subject, Pause.Kind kind, String name) {
        does(("pause " + subject + " --reason look").split(" ", -1));
        does(("resume " + subject).split(" ", -1));

        Pause.Subject meant = new Pause.Subject(kind, name);
        assertThat(terminal.canned.asked).containsExactly(new Request.Pause(meant, "look"), meant);
    }

    @Test
    void drainsAndRebalances() {
        does("drain", "node-1", "--reason", "update");
        does("rebalance");
        does("repartition", "12");

        assertThat(terminal.canned.asked)
                .containsExactly(new Request.Drain("node-1", "update"), "rebalance null", "rebalance 12");
    }

    /** An operation that no class of a command describes, in every kind. */
    @Test
    void anOperationWithoutACommandOfItsOwnHasItsParameters() {
        assertThat(generic(Operation.EVENT, CannedAdmin.DEAD_ID)).contains("explanation", "It died after 3 attempts.");
        assertThat(generic(Operation.PURGE, "P30D", "--yes")).isEqualTo("It is done\n");
        assertThat(generic(Operation.EDIT, "E1", "--payload", "{}", "--replay", "--reason", "typo", "--yes"))
                .isEqualTo("It is done\n");
        assertThat(terminal.canned.asked)
                .containsExactly(
                        CannedAdmin.DEAD_ID,
                        new Request.Purge(Duration.ofDays(30), true),
                        new Request.Purge(Duration.ofDays(30), false),
                        new Request.Edit("E1", new EventEdit("{}", null), true, "typo"));
    }

    private String generic(Operation operation, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        CommandContext context =
                terminal.context(new Screen(new Screen.Streams(System.in, print, print), 80, false, null));
        assertThat(new OperationCommand(context, operation).line().execute(arguments))
                .isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Selection matching(EventFilter filter) {
        return new Selection.Matching(filter);
    }
}
