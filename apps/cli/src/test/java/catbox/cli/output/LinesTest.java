package catbox.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinesTest {

    @Test
    void breaksBetweenWordsAndIndentsTheRest() {
        String text = "one two three four five six seven-is-longer-than-a-line-has-room-for eight";

        assertThat(Lines.wrapped(text, 26, 4).lines())
                .containsExactly(
                        "one two three four",
                        "    five six",
                        "    seven-is-longer-than-a-line-has-room-for",
                        "    eight");
        assertThat(Lines.wrapped(text, Screen.WIDTH_ANY, 4)).isEqualTo(text);
    }
}
