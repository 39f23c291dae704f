package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

final class ErrorTextTest {

    @Test
    void namesClassAndMessage() {
        assertThat(ErrorText.of(new IllegalStateException("broker is down")))
                .isEqualTo("java.lang.IllegalStateException: broker is down");
    }

    @Test
    void namesTheClassWhenThereIsNoMessage() {
        assertThat(ErrorText.of(new IllegalStateException())).isEqualTo("java.lang.IllegalStateException");
    }

    @Test
    void namesTheRootOfAChain() {
        Throwable chain =
                new RuntimeException("outer", new RuntimeException("between", new IOException("connection reset")));

        assertThat(ErrorText.of(chain))
                .isEqualTo("java.lang.RuntimeException: outer; caused by java.io.IOException: connection reset");
    }

    @Test
    void endsWhenTheCausesAreACircle() {
        RuntimeException first = new RuntimeException("first");
        RuntimeException second = new RuntimeException("second", first);
        first.initCause(second);

        assertThat(ErrorText.of(first)).startsWith("java.lang.RuntimeException: first; caused by ");
    }

    @Test
    void cutsTheTextOfAFailureToo() {
        assertThat(ErrorText.of(new RuntimeException("x".repeat(10_000), new RuntimeException("y"))))
                .hasSize(4000)
                .startsWith("java.lang.RuntimeException: xxx");
    }

    @Test
    void keepsWhatFits() {
        assertThat(ErrorText.fit("")).isEmpty();
        assertThat(ErrorText.fit("x".repeat(4000))).hasSize(4000);
        assertThat(ErrorText.fit("Grüße 😀")).isEqualTo("Grüße 😀");
    }

    @Test
    void cutsWhatDoesNotFit() {
        assertThat(ErrorText.CHARS_MAX).isEqualTo(4000);
        assertThat(ErrorText.fit("x".repeat(4001))).isEqualTo("x".repeat(4000));
        assertThat(ErrorText.fit("x".repeat(1_000_000))).hasSize(4000);
    }

    @Test
    void neverCutsASurrogatePairInTwo() {
        assertThat(ErrorText.fit("x".repeat(3999) + "😀")).isEqualTo("x".repeat(3999));
        assertThat(ErrorText.fit("x".repeat(3998) + "😀y")).isEqualTo("x".repeat(3998) + "😀");
    }

    @SuppressWarnings("UnusedVariable") // read by name
    private static final Arguments[] UNSTORABLE = {
        Arguments.of("a\0b\0", "a\uFFFDb\uFFFD"),
        Arguments.of("\uD83D", "\uFFFD"),
        Arguments.of("a\uDE00b", "a\uFFFDb"),
        Arguments.of("\uD83D\uD83D\uDE00\uDE00", "\uFFFD😀\uFFFD"),
        Arguments.of("x".repeat(3999) + "\uD83D", "x".repeat(3999) + "\uFFFD"),
        Arguments.of("x".repeat(3999) + "\uD83Dyy", "x".repeat(3999) + "\uFFFD")
    };

    @ParameterizedTest
    @FieldSource("UNSTORABLE")
    void replacesWhatDatabasesRefuse(String text, String stored) {
        assertThat(ErrorText.fit(text)).isEqualTo(stored);
        assertThat(ErrorText.of(new RuntimeException(text)))
                .doesNotContain("\0")
                .matches(cleaned -> Utf8.firstUnpairedSurrogate(cleaned) == -1);
    }
}
