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
        assertThat(provided("/bin/sh")).isEqualTo(new Provision.Ready<>(new Chromium(Path.of("/bin/sh"), Map.of())));
    }

    @Test
    void reportsThatTheNamedFileIsNoProgram() {
        assertThat(provided(folder.toString() + "/none"))
                .isEqualTo(
                        new Provision.Unavailable<>("CATBOX_CHROMIUM names " + folder + "/none, which is no program"));
    }

    private Provision<Chromium> provided(String named) {
        return Chromium.provide(Map.of("CATBOX_CHROMIUM", named), Platform.current(), new BinaryCache(folder));
    }
}
