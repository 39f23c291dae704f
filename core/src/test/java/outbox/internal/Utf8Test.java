package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

final class Utf8Test {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\0",
                "\u007F",
                "\u0080",
                "\u07FF",
                "\u0800",
                "\uD7FF",
                "\uE000",
                "\uFFFF",
                "\uD800\uDC00",
                "\uDBFF\uDFFF",
                "aé€😀 in one"
            })
    void knowsTheLengthWithoutEncoding(String text) {
        assertThat(Utf8.length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
        assertThat(Utf8.firstUnpairedSurrogate(text)).isEqualTo(-1);
    }

    @SuppressWarnings("UnusedVariable") // read by name
    private static final Arguments[] UNPAIRED = {
        Arguments.of("\uD83D", 0),
        Arguments.of("\uDE00", 0),
        Arguments.of("ab\uD83D", 2),
        Arguments.of("ab\uD83Dc", 2),
        Arguments.of("\uD83D\uD83D\uDE00", 0),
        Arguments.of("\uD83D\uDE00\uDE00", 2),
        Arguments.of("😀\uDE00\uD83D", 2)
    };

    @ParameterizedTest
    @FieldSource("UNPAIRED")
    void findsTheFirstSurrogateWithoutItsOtherHalf(String text, int index) {
        assertThat(Utf8.firstUnpairedSurrogate(text)).isEqualTo(index);
    }
}
