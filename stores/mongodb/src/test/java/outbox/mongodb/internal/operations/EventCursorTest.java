package outbox.mongodb.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventCursorTest {

    private static final Instant TIME = Instant.parse("2026-05-01T10:00:00.123Z");

    static Stream<EventCursor> cursors() {
        return Stream.of(
                new EventCursor.ById("an id with spaces"),
                new EventCursor.Dead(TIME, "an id with spaces"),
                new EventCursor.Done(TIME, "01M7"),
                new EventCursor.Done(TIME, null),
                new EventCursor.Place(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @MethodSource("cursors")
    void isReadBackFromItsWord(EventCursor cursor) {
        assertThat(EventCursor.of(cursor.word())).isEqualTo(cursor);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "i", "p one", "p", "f 1", "f x id", "c", "c later", "x 1", "no"})
    void refusesAWordThatIsNoneOfOurs(String plain) {
        String word = Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> EventCursor.of(word))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + word + "\"")
                .hasMessageContaining("next of the page before");
    }
}
