package catbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.admin.view.OperationResult;

/** What is told of work that went in several chunks. */
class ChunksTest {

    private final Deque<OperationResult> answers = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();

    private OperationResult all() {
        return Chunks.all(null, after -> {
            asked.add(String.valueOf(after));
            return answers.remove();
        });
    }

    @Test
    void oneChunkSpeaksForItself() {
        answers.add(new OperationResult(3, false, false, null, "3 events made new. Key a is still on hold"));

        assertThat(all().says()).isEqualTo("3 events made new. Key a is still on hold");
    }

    @Test
    void keysThatStayOnHoldAreToldOfEveryChunk() {
        answers.add(new OperationResult(1_000, true, false, "E1", "1000 events made new. Key a is still on hold"));
        answers.add(new OperationResult(0, true, false, "E2", "0 events made new; not all was looked at yet"));
        answers.add(new OperationResult(
                7, false, false, null, "7 events made new. Key b is on hold. Key a is still on hold"));

        assertThat(all().says()).isEqualTo("1,007 events in all. Key a is still on hold. Key b is on hold");
        assertThat(asked).containsExactly("null", "E1", "E2");
    }

    @Test
    void howItFailedIsToldBesideHowFarItCame() {
        answers.add(new OperationResult(2, true, false, "E2", "2 events sent"));
        answers.add(new OperationResult(0, true, false, "E2", "0 events sent; the next, E3, did not arrive: refused"));

        assertThat(all())
                .isEqualTo(new OperationResult(
                        2,
                        true,
                        false,
                        "E2",
                        "2 events in all. The last of it: 0 events sent; the next, E3, did not arrive: refused"));
    }
}
