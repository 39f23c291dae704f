package catbox.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OutboxDemoTest {

    @Test
    void runsToItsEnd() throws Exception {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        OutboxDemo.run(new PrintStream(output, true, StandardCharsets.UTF_8));

        assertThat(output.toString(StandardCharsets.UTF_8).lines().map(String::strip))
                .containsSubsequence(
                        "1. An order is placed",
                        "settled    DONE",
                        "rolled back: 0 orders 1002, 0 events about it",
                        "attempt 3  failed",
                        "replayed   1 dead event",
                        "settled    DONE");
    }
}
