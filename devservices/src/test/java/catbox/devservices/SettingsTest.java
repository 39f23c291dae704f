package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class SettingsTest {

    @Test
    void becomeArguments() {
        assertThat(new Settings(Map.of("b", "2", "a", "1")).arguments("--")).containsExactly("--a=1", "--b=2");
    }

    @Test
    void refuseNamesThatWouldBeParsedDifferently() {
        assertThatThrownBy(() -> new Settings(Map.of("--datadir", "/")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--datadir");
    }
}
