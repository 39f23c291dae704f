package catbox.livedemo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

    @Test
    void runsUntilItIsStoppedByDefault() {
        assertThat(Arguments.read()).isEqualTo(new Arguments(Duration.ZERO, false, false));
        assertThat(Arguments.read("--seconds", "7")).isEqualTo(new Arguments(Duration.ofSeconds(7), false, false));
        assertThat(Arguments.read("--kill")).isEqualTo(new Arguments(Duration.ofSeconds(40), true, false));
        assertThat(Arguments.read("--kill", "--seconds", "20"))
                .isEqualTo(new Arguments(Duration.ofSeconds(20), true, false));
        assertThat(Arguments.read("--help").help()).isTrue();
    }

    @Test
    void namesTheErrorAndTheAllowedArguments() {
        assertThatThrownBy(() -> Arguments.read("--slowly"))
                .hasMessage("unknown argument \"--slowly\"; there are --kill, --seconds N, --library and --help");
        for (String wrong : new String[] {"4", "many", "-1", "86401", "99999999999"}) {
            assertThatThrownBy(() -> Arguments.read("--seconds", wrong))
                    .hasMessage("--seconds must be a number from 5 to 86400, was " + wrong);
        }
        assertThatThrownBy(() -> Arguments.read("--seconds")).hasMessageEndingWith("was nothing");
    }
}
