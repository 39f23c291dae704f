package catbox.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandLineTest {

    @Test
    void takesTheFileFromTheArgumentsThenFromTheEnvironment() {
        assertThat(read(Map.of()).config()).isEqualTo(Path.of("catbox.yaml"));
        assertThat(read(Map.of("CATBOX_CONFIG", "a.yaml")).config()).isEqualTo(Path.of("a.yaml"));
        assertThat(read(Map.of("CATBOX_CONFIG", "a.yaml"), "--config", "b.yaml").config())
                .isEqualTo(Path.of("b.yaml"));
        assertThat(read(Map.of(), "--config=c.yaml", "--check"))
                .isEqualTo(new CommandLine(Path.of("c.yaml"), true, false));
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThatThrownBy(() -> read(Map.of(), "--chekc"))
                .hasMessage("unknown argument \"--chekc\"; there are --config FILE, --check and --help");
        assertThatThrownBy(() -> read(Map.of(), "--config")).hasMessage("--config needs a file");
    }

    private static CommandLine read(Map<String, String> environment, String... arguments) {
        return CommandLine.read(arguments, environment::get);
    }
}
