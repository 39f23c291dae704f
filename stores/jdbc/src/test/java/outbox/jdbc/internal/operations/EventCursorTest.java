package outbox.jdbc.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventCursorTest {

    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678901Z");

    @Test
    void aWordReadBackIsTheSamePlace() {
        for (EventCursor cursor : List.of(
                new EventCursor.ById("an id with spaces ö"),
                new EventCursor.Settled(null, TIME, "a b"),
                new EventCursor.Settled(TIME, TIME.plusSeconds(1), "ab"),
                new EventCursor.Due(TIME, 17),
                new EventCursor.Lane(18))) {
            assertThat(EventCursor.of(cursor.word())).isEqualTo(cursor);
            assertThat(cursor.word()).matches("[A-Za-z0-9_-]+");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "i", "x 1", "l five", "d yesterday 5", "d 2026-01-01T00:00:00Z", "s - - id", "lane 5"})
    void refusesWhatIsNoPlace(String plain) {
        String word = Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> EventCursor.of(word))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + word + "\" is no place to go on from")
                .hasMessageContaining("next of the page before");
    }

    @Test
    void refusesWhatIsNoWordOfOurs() {
        assertThatThrownBy(() -> EventCursor.of("ö?"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"ö?\" is no place to go on from");
    }
}
