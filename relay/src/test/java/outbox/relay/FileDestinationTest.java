package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.testkit.World;

class FileDestinationTest {

    @TempDir
    private Path folder;

    @Test
    void blamesNoEventForAFileThatCannotBeWritten() {
        FileDestination destination = new FileDestination(folder.resolve("events.jsonl"));
        destination.close(); // As good as a full disk.
        List<Outcome> outcomes = new ArrayList<>();

        destination.deliver(List.of(new Delivery(World.event(), 1)), (index, outcome) -> outcomes.add(outcome));

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        unavailable ->
                                assertThat(unavailable.scope()).isEqualTo(Outcome.Unavailable.Scope.DESTINATION));
    }
}
