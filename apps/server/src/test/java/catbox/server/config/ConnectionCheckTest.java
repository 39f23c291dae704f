package catbox.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionCheckTest {

    @TempDir
    Path folder;

    @Test
    void namesTheRemedyOfAMissingSchemaOnce() {
        ServerConfig config =
                new ServerConfigReader(name -> null).read("catbox.yaml", """
                sources: { orders: { url: 'jdbc:h2:mem:without_schema' } }
                destinations: { archive: { kind: file, path: '%s' } }
                """.formatted(folder.resolve("events.jsonl")));
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        int failures = new ConnectionCheck(config, new PrintStream(out, true, StandardCharsets.UTF_8)).run();

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("source orders: FAILED, ")
                                .containsOnlyOnce("schema: install"),
                        line -> assertThat(line).startsWith("destination archive: ok, file"));
        assertThat(failures).isEqualTo(1);
    }
}
