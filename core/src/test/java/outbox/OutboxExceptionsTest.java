package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class OutboxExceptionsTest {

    @Test
    void nameTheOneDuplicateId() {
        DuplicateEventException duplicate = new DuplicateEventException(List.of("e-1"), null);

        assertThat(duplicate.eventIds()).containsExactly("e-1");
        assertThat(duplicate).hasMessage("event id e-1 is already stored").hasNoCause();
    }

    @Test
    void nameAtMostTenOfManyIds() {
        List<String> ids = IntStream.rangeClosed(1, 12).mapToObj(n -> "e-" + n).toList();
        DuplicateEventException duplicate = new DuplicateEventException(ids, null);

        assertThat(duplicate.eventIds()).isEqualTo(ids);
        assertThat(duplicate)
                .hasMessageContainingAll("12 event ids", "e-10", "and 2 more")
                .hasMessageNotContaining("e-11");
    }

    @Test
    void keepTheirIdsWhenTheGivenListChanges() {
        List<String> ids = new ArrayList<>(List.of("e-1", "e-2"));
        DuplicateEventException duplicate = new DuplicateEventException(ids, null);
        ids.clear();

        assertThat(duplicate.eventIds()).containsExactly("e-1", "e-2");
    }

    @Test
    void carryTheDelayThatAListenerAsksFor() {
        assertThat(new RetryAfterException(Duration.ofMinutes(5), "busy").delay())
                .isEqualTo(Duration.ofMinutes(5));
        assertThatThrownBy(() -> new RetryAfterException(Duration.ofMillis(-1), "busy"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.001S");
    }

    @Test
    void sayHowLargeAPoolNeedsToBe() {
        assertThat(new PoolTooSmallException(3, 8, 2))
                .hasMessageContainingAll("at most 3 connection(s)", "8 worker(s)", "at least 10");
    }
}
