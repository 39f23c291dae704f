package catbox.devservices;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class PlatformTest {

    @Test
    void acceptsLinuxOnAmd64() {
        assertThatCode(() -> new Platform("Linux", "amd64").requireSupported()).doesNotThrowAnyException();
    }

    @Test
    void namesTheActualAndTheSupportedPlatform() {
        assertThatThrownBy(() -> new Platform("Mac OS X", "aarch64").requireSupported())
                .isInstanceOf(DevServerException.class)
                .hasMessageContaining("Mac OS X on aarch64")
                .hasMessageContaining("Linux on amd64");
        assertThatThrownBy(() -> new Platform("Linux", "aarch64").requireSupported())
                .isInstanceOf(DevServerException.class)
                .hasMessageContaining("Linux on aarch64");
    }
}
