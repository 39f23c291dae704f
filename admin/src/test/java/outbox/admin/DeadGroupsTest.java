package outbox.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.admin.Operation.Request;
import outbox.admin.view.DeadGroup;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;

/** Dead events are grouped by their errors. */
class DeadGroupsTest {

    private final Source source = new Source();

    DeadGroupsTest() {
        source.nodeWithAll("node-1");
    }

    private String dies(String error) {
        String id = source.publish();
        source.die(id, error);
        source.time.advance(Duration.ofMillis(10));
        return id;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "connection to 10.0.0.17:5432 refused | connection to * refused",
                "order 4711 is closed | order * is closed",
                "timeout after 30000 ms (attempt 3) | timeout after * ms (attempt *)",
                "event 01JCQ2Z8M4T5V6W7X8Y9ZABCDE is too large | event * is too large",
                "no user 6f1c2a90-7d7e-4b52-9f0a-0d2c6a8b9c01 | no user *",
                "Unrecognized field \"colour\" in 'OrderPlaced' | Unrecognized field \"*\" in '*'",
                "can't read topic orders-v2 | can't read topic orders-v*",
                "java.lang.Object@1b6d3586 is not serializable | java.lang.Object@* is not serializable",
                "checksum deadbeef01 differs from 0xff | checksum * differs from *",
                "connection refused | connection refused",
                "100% full | *% full",
                "HTTP 503 | HTTP *",
                "9xff is not 0x1f | *xff is not *"
            })
    void leavesOutOfAnErrorWhatDiffers(String error, String shape) {
        assertThat(ErrorShape.of(error)).isEqualTo(shape);
        assertThat(ErrorShape.of(ErrorShape.alike(error))).isEqualTo(shape);
    }

    @Test
    void errorsThatDifferInDigitsAreAlike() {
        assertThat(ErrorShape.alike("HTTP 503 after 20 ms")).isEqualTo(ErrorShape.alike("HTTP 408 after 90 ms"));
        assertThat(ErrorShape.alike(null)).isEmpty();
        for (int length : List.of(299, 300, 301, 302, 4_000)) {
            for (String end : List.of("", "\uD83D\uDE3A", "9", "9\uD83D\uDE3A")) {
                String error = "x".repeat(length) + end;
                assertThat(ErrorShape.of(ErrorShape.alike(error))).isEqualTo(ErrorShape.of(error));
            }
        }
    }

    @Test
    void givesAPatternThatFindsTheGroupAgain() {
        List<String> errors = List.of(
                "order 17 of \"anna\" refused at 12:30:01",
                "a ** star, 100% of C:\\temp_1",
                "x".repeat(200) + " 7 " + "y".repeat(400),
                "first\nsecond 2");
        errors.forEach(error -> dies(error));

        List<DeadGroup> groups = source.admin().run(new Request.Dead());

        assertThat(groups).hasSize(errors.size());
        for (DeadGroup group : groups) {
            EventFilter filter = EventFilter.ALL.withState(State.DEAD).withError(group.error());
            assertThat(source.admin()
                            .run(new Request.Events(new EventQuery(filter, null, 10)))
                            .events())
                    .as(group.error())
                    .extracting(EventSummary::eventId)
                    .containsExactly(group.example());
        }
    }

    @Test
    void tellsTheLargestGroupFirst() {
        String first = dies("timeout after 10 ms");
        dies("refused");
        String last = dies("timeout after 20 ms");

        List<DeadGroup> groups = source.admin().run(new Request.Dead());

        assertThat(groups).extracting(DeadGroup::error).containsExactly("timeout after * ms", "refused");
        DeadGroup largest = groups.get(0);
        assertThat(largest.count()).isEqualTo(new BoundedCount(2, false));
        assertThat(largest.types()).containsExactly("OrderPlaced");
        assertThat(largest.first()).isEqualTo(source.event(first).state().lastAttemptAt());
        assertThat(largest.last()).isEqualTo(source.event(last).state().lastAttemptAt());
        assertThat(largest.example()).isEqualTo(last);
    }

    @Test
    void looksAtTheLatestOnlyAndSaysSo() {
        for (int n = 0; n < DeadGroups.EVENTS_MAX + 1; n++) {
            source.die(source.publish(), "refused");
        }

        assertThat(source.admin().run(new Request.Dead()))
                .extracting(DeadGroup::count)
                .containsExactly(new BoundedCount(DeadGroups.EVENTS_MAX, true));
    }

    @Test
    void thereAreNoGroupsWithoutDeadEvents() {
        source.publish();

        assertThat(source.admin().run(new Request.Dead())).isEmpty();
    }
}
