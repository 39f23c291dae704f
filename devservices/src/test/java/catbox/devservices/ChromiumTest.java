package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChromiumTest {

    @TempDir
    private Path folder;

    @Test
    void takesTheProgramThatTheEnvironmentNames() {
        assertThat(provided("/bin/sh")).isEqualTo(new Chromium.Ready(new Chromium(Path.of("/bin/sh"), Map.of())));
    }

    @Test
    void reportsThatTheNamedFileIsNoProgram() {
        assertThat(provided(folder.toString() + "/none"))
                .isEqualTo(new Chromium.Unavailable("CATBOX_CHROMIUM names " + folder + "/none, which is no program"));
    }

    private Chromium.Provision provided(String named) {
        return Chromium.provide(Map.of("CATBOX_CHROMIUM", named), Platform.current(), new BinaryCache(folder));
    }
}
