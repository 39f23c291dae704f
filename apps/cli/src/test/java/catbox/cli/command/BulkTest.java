package catbox.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.OutboxException;
import outbox.admin.Operation.Request;
import outbox.admin.view.OperationResult;

/** Work on many events proceeds in steps, shows its progress, and ends. */
class BulkTest {

    private final TestTerminal terminal = new TestTerminal();

    private void counts(long events, boolean more) {
        terminal.canned.answers.add(new OperationResult(events, more, true, null, events + " would match"));
    }

    private void steps(int steps, String says) {
        IntStream.rangeClosed(1, steps)
                .forEach(n -> terminal.canned.answers.add(new OperationResult(1_000, n < steps, false, null, says)));
    }

    @Test
    void repeatsUntilThereIsNoMore() {
        counts(10_000, true);
        IntStream.rangeClosed(1, 12)
                .forEach(n -> terminal.canned.answers.add(
                        new OperationResult(1_000, n < 12, false, null, List.of("k"), "1000 events discarded")));

        TestTerminal.Result result = terminal.run("discard", "--all", "--reason", "old", "--yes");

        assertThat(result.code()).isZero();
        assertThat(result.out()).isEqualTo("12,000 events discarded. Key k is still paused: resume it\n");
        assertThat(terminal.canned.asked).hasSize(13);
    }

    @Test
    void eachStepOfAReplayGoesOnBehindTheOneBefore() {
        counts(1_000, true);
        terminal.canned.answers.add(new OperationResult(0, true, false, "place-1", "0 events"));
        terminal.canned.answers.add(new OperationResult(1_000, true, false, "place-2", "1000 events"));
        terminal.canned.answers.add(new OperationResult(7, false, false, null, "7 events"));

        TestTerminal.Result result = terminal.run("replay", "--state", "dead", "--yes");

        assertThat(terminal.canned.asked)
                .extracting(asked -> ((Request.Replay) asked).after())
                .containsExactly(null, null, "place-1", "place-2");
        assertThat(result.out()).isEqualTo("1,007 events replayed\n");
    }

    @Test
    void goesOnWhereAnEarlierRunEnded() {
        terminal.canned.answers.add(new OperationResult(0, true, true, "place-1", "not counted"));
        terminal.canned.answers.add(new OperationResult(1_000, true, false, "place-2", "1000 events"));

        TestTerminal.Result result =
                terminal.run("discard", "--all", "--reason", "old", "--after", "place-1", "--yes", "--max", "500");

        assertThat(terminal.canned.asked)
                .extracting(asked -> ((Request.Discard) asked).after())
                .containsExactly("place-1", "place-1");
        assertThat(result.err()).contains("there may be more; run it again with --after place-2 to continue");
    }

    @Test
    void quotesThePlaceToGoOnFromForTheShell() {
        counts(10_000, true);
        terminal.canned.answers.add(new OperationResult(1_000, true, false, "it's; here", "1000 events"));

        TestTerminal.Result result = terminal.run("replay", "--state", "dead", "--yes", "--max", "500");

        assertThat(result.err()).contains("run it again with --after 'it'\\''s; here' to continue");
    }

    @Test
    void endsAtTheNumberThatIsGiven() {
        counts(10_000, true);
        steps(20, "1000 events");

        TestTerminal.Result result = terminal.run("replay", "--state", "dead", "--yes", "--max", "3000");

        assertThat(result.out()).isEqualTo("3,000 events replayed\n");
    }

    @Test
    void endsWhenAStepGetsNothingDone() {
        counts(10_000, true);
        terminal.canned.answers.add(new OperationResult(0, true, false, null, "0 events"));

        TestTerminal.Result result = terminal.run("purge", "--older-than", "1d", "--yes");

        assertThat(result.code()).isEqualTo(ExitCode.NOT_POSSIBLE);
        assertThat(result.err()).isEqualTo("catbox: broken off; run it again to continue\n");
        assertThat(terminal.canned.asked).hasSize(2);
    }

    @Test
    void aRunThatBreaksOffFailsAndSaysHowToContinue() {
        counts(400, false);
        terminal.canned.answers.add(new OperationResult(200, true, false, "E200", "200 events sent"));
        terminal.canned.answers.add(
                new OperationResult(13, true, false, "E213", "13 events sent; E214 did not arrive"));
        terminal.canned.answers.add(new OperationResult(0, true, false, "E213", "0 events sent; E214 did not arrive"));

        TestTerminal.Result result = terminal.run("resend", "--from", "1h", "--to", "archive", "--yes");

        assertThat(result.code()).isEqualTo(ExitCode.NOT_POSSIBLE);
        assertThat(result.out())
                .isEqualTo("213 events sent to archive. The last step: 0 events sent; E214 did not arrive\n");
        assertThat(result.err()).isEqualTo("catbox: broken off; run it again with --after E213 to continue\n");
    }

    @Test
    void aRunWhoseFirstStepBreaksOffFails() {
        counts(400, false);
        terminal.canned.answers.add(new OperationResult(0, true, false, null, "0 events sent; E1 did not arrive"));

        TestTerminal.Result result = terminal.run("resend", "--from", "1h", "--to", "archive", "--yes");

        assertThat(result.code()).isEqualTo(ExitCode.NOT_POSSIBLE);
        assertThat(result.out()).isEqualTo("0 events sent; E1 did not arrive\n");
    }

    @Test
    void aStepThatFailsAtTheMaximumIsNoSuccess() {
        counts(400, false);
        terminal.canned.answers.add(
                new OperationResult(150, true, false, "E150", List.of(), "150 events sent; E151 did not arrive", true));

        TestTerminal.Result result = terminal.run("resend", "--from", "1h", "--to", "archive", "--yes", "--max", "100");

        assertThat(result.code()).isEqualTo(ExitCode.NOT_POSSIBLE);
        assertThat(result.err()).isEqualTo("catbox: broken off; run it again with --after E150 to continue\n");
    }

    @Test
    void aRunThatEndsWithAnErrorSaysWhereToContinue() {
        counts(400, false);
        terminal.canned.answers.add(new OperationResult(200, true, false, "E200", "200 events sent"));
        terminal.stopped = () -> {
            terminal.canned.failure = new OutboxException("the server is gone");
            return false;
        };

        TestTerminal.Result result = terminal.run("resend", "--from", "1h", "--to", "archive", "--yes");

        assertThat(result.code()).isEqualTo(ExitCode.NOT_POSSIBLE);
        assertThat(result.err()).isEqualTo("""
                        catbox: 200 events sent to archive before it failed; run it again with --after E200 to continue
                        catbox: the server is gone
                        """);
    }

    @Test
    void continuesBehindWhatWasDone() {
        counts(10_000, true);
        terminal.canned.answers.add(new OperationResult(10, true, false, "E10", "10 sent"));
        terminal.canned.answers.add(new OperationResult(0, true, false, "E20", "0 sent"));
        terminal.canned.answers.add(new OperationResult(5, false, false, null, "5 sent"));

        TestTerminal.Result result = terminal.run("resend", "--from", "1h", "--to", "archive", "--yes");

        assertThat(terminal.canned.asked)
                .extracting(asked -> ((Request.Resend) asked).after())
                .containsExactly(null, null, "E10", "E20");
        assertThat(result.out()).isEqualTo("15 events sent to archive\n");
    }

    @Test
    void stopsBetweenTwoStepsAndSaysHowFarItGot() {
        counts(10_000, true);
        steps(12, "1000 events");
        terminal.stopped = () -> terminal.canned.asked.size() == 4;

        TestTerminal.Result result = terminal.run("replay", "--state", "dead", "--yes");

        assertThat(result.code()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(result.out()).isEqualTo("3,000 events replayed\n");
        assertThat(result.err()).isEqualTo("catbox: stopped; run it again to continue\n");
    }

    @Test
    void saysHowFarItGotWhenItFails() {
        counts(10_000, true);
        steps(12, "1000 events");
        terminal.stopped = () -> {
            terminal.canned.failure = new OutboxException("the database is gone");
            return false;
        };

        TestTerminal.Result result = terminal.run("replay", "--state", "dead", "--yes");

        assertThat(result.code()).isEqualTo(ExitCode.NOT_POSSIBLE);
        assertThat(result.err())
                .isEqualTo(
                        "catbox: 1,000 events replayed before it failed; run it again to continue\ncatbox: the database is gone\n");
    }

    @Test
    void drawsABarOnATerminal() {
        counts(4_000, false);
        steps(4, "1000 events");
        terminal.typing("y");
        terminal.width = 80;

        TestTerminal.Result result = terminal.run("replay", "--state", "dead");

        assertThat(result.err().split("\r\u001b\\[K", -1))
                .containsExactly(
                        "",
                        "replaying [#######-----------------------] 1,000 of 4,000, 0 ms",
                        "replaying [###############---------------] 2,000 of 4,000, 0 ms",
                        "replaying [######################--------] 3,000 of 4,000, 0 ms",
                        "replaying [##############################] 4,000 of 4,000, 0 ms",
                        "");
    }

    @Test
    void saysALineEveryFewSecondsElsewhere() {
        counts(4_000, false);
        steps(4, "1000 events");
        terminal.stopped = () -> {
            terminal.time.advance(Duration.ofSeconds(3));
            return false;
        };

        TestTerminal.Result result = terminal.run("replay", "--state", "dead", "--yes");

        assertThat(result.err()).isEqualTo("catbox: replaying: 3,000 of 4,000, 6.0 s\n");
    }

    @Test
    void printsTheSumAsJson() {
        counts(2_000, false);
        steps(2, "1000 events");

        TestTerminal.Result result = terminal.run("replay", "--state", "dead", "--yes", "--json");

        assertThat(result.out().lines().map(String::strip).toList())
                .isEqualTo(List.of(
                        "{",
                        "\"changed\" : 2000,",
                        "\"more\" : false,",
                        "\"dryRun\" : false,",
                        "\"pausedKeys\" : [ ],",
                        "\"message\" : \"2,000 events replayed\",",
                        "\"incomplete\" : false",
                        "}"));
    }
}
