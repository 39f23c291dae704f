package outbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.admin.Operation.Request;
import outbox.admin.view.OperationResult;
import outbox.spi.operations.Selection;

/** A bulk run continues until nothing is left, and reports the sum. */
class BulkRunTest {

    private final Deque<OperationResult> answers = new ArrayDeque<>();
    private final List<String> requests = new ArrayList<>();
    private final OutboxAdmin admin = new OutboxAdmin() {
        @Override
        @SuppressWarnings("unchecked")
        public <R> R run(Request<R> request) {
            Request.Bulk bulk = (Request.Bulk) request;
            requests.add(bulk.after() + (bulk.dryRun() ? " counted" : ""));
            return (R) answers.remove();
        }
    };

    private OperationResult all() {
        Request.Replay replay = new Request.Replay(new Selection.Ids(List.of("E")), true, null);
        return new BulkRun(admin, replay, "in all").run(changed -> true);
    }

    private static OperationResult step(long changed, String next, List<String> pausedKeys) {
        return new OperationResult(changed, next != null, false, next, pausedKeys, changed + " events made new");
    }

    @Test
    void oneStepSpeaksForItself() {
        answers.add(step(3, null, List.of("a")));

        assertThat(all()).isEqualTo(step(3, null, List.of("a")));
        assertThat(requests).containsExactly("null");
    }

    @Test
    void keysThatStayPausedAreNamedOfEveryStep() {
        answers.add(step(1_000, "E1", List.of("a")));
        answers.add(step(0, "E2", List.of()));
        answers.add(step(7, null, List.of("b. Key c", "a")));

        assertThat(all())
                .isEqualTo(new OperationResult(
                        1_007,
                        false,
                        false,
                        null,
                        List.of("a", "b. Key c"),
                        "1,007 events in all. Key a is still paused: resume it."
                                + " Key b. Key c is still paused: resume it"));
        assertThat(requests).containsExactly("null", "E1", "E2");
    }

    @Test
    void manyKeysAreCounted() {
        answers.add(step(1, "E1", IntStream.range(0, 23).mapToObj(n -> "k" + n).toList()));
        answers.add(step(1, null, List.of()));

        assertThat(all().message())
                .contains("Key k19 is")
                .doesNotContain("k20")
                .endsWith(". So are 3 more keys: see the pauses");
    }

    @Test
    void endsWithAStepThatComesNoFurtherAndSaysWhy() {
        answers.add(step(2, "E2", List.of()));
        answers.add(new OperationResult(0, true, false, "E2", "0 events sent; the next, E3, did not arrive: refused"));

        assertThat(all())
                .isEqualTo(new OperationResult(
                        2,
                        true,
                        false,
                        "E2",
                        List.of(),
                        "2 events in all. The last step: 0 events sent; the next, E3, did not arrive: refused",
                        true));
    }

    @Test
    void isIncompleteIfItsOnlyStepFailed() {
        OperationResult failed = new OperationResult(2, true, false, "E2", "2 events sent; the next did not arrive");
        answers.add(failed.asIncomplete());
        Request.Replay replay = new Request.Replay(new Selection.Ids(List.of("E")), false, null);

        assertThat(new BulkRun(admin, replay, "sent").run(changed -> false).incomplete())
                .isTrue();

        answers.add(new OperationResult(0, true, false, null, "0 events"));
        assertThat(all().incomplete())
                .as("it changes nothing and there is more")
                .isTrue();
    }

    @Test
    void aRunThatFailsRemembersWhereItsLatestStepBegan() {
        answers.add(step(2, "E2", List.of()));
        Request.Replay replay = new Request.Replay(new Selection.Ids(List.of("E")), false, null, "E0");
        BulkRun run = new BulkRun(admin, replay, "replayed");

        assertThat(run.after()).isEqualTo("E0");
        assertThatThrownBy(() -> run.run(changed -> true)).isInstanceOf(NoSuchElementException.class);

        assertThat(run.after()).isEqualTo("E2");
        assertThat(run.summary()).isEqualTo("2 events replayed");
    }

    @Test
    void endsWhenItIsStopped() {
        answers.add(step(2, "E2", List.of()));
        answers.add(step(2, "E4", List.of()));
        answers.add(step(2, "E6", List.of()));
        Request.Replay replay = new Request.Replay(new Selection.Ids(List.of("E")), false, null, "E0");

        OperationResult some = new BulkRun(admin, replay, "replayed").run(changed -> changed < 4);

        assertThat(some).isEqualTo(new OperationResult(4, true, false, "E4", "4 events replayed"));
        assertThat(requests).containsExactly("E0", "E2");
    }
}
