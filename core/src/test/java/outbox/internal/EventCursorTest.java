package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventCursorTest {

    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678901Z");

    static Stream<EventCursor> cursors() {
        return Stream.of(
                new EventCursor.ById("an id with spaces ö"),
                new EventCursor.Settled(null, TIME, "a b"),
                new EventCursor.Settled(TIME, TIME.plusSeconds(1), "ab"),
                new EventCursor.Done(TIME, "an id with spaces"),
                new EventCursor.Done(TIME, null),
                new EventCursor.Due(TIME, 17),
                new EventCursor.Inserted(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @MethodSource("cursors")
    void aWordReadBackIsTheSamePlace(EventCursor cursor) {
        assertThat(EventCursor.of(cursor.text())).isEqualTo(cursor);
        assertThat(cursor.text()).matches("[A-Za-z0-9_-]+");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "i",
                "x 1",
                "p five",
                "p one",
                "p",
                "d yesterday 5",
                "d 2026-01-01T00:00:00Z",
                "s - - id",
                "lane 5",
                "s - 1",
                "c",
                "c later",
                "c x id",
                "no"
            })
    void refusesWhatIsNoPlace(String plain) {
        String word = Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> EventCursor.of(word))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + word + "\" is no cursor")
                .hasMessageContaining("next of the previous page");
    }

    @Test
    void refusesWhatIsNoWordOfOurs() {
        assertThatThrownBy(() -> EventCursor.of("ö?"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"ö?\" is no cursor");
    }

    @Test
    void refusesAPlaceOfAnotherSearch() {
        EventCursor place = new EventCursor.Inserted(1);
        assertThat(place.as(EventCursor.Inserted.class)).isSameAs(place);
        assertThatThrownBy(() -> place.as(EventCursor.ById.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + place.text() + "\" is a cursor of another search");
    }
}
