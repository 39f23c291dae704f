package catbox.livedemo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalTest {

    private final Journal journal = new Journal();

    @Test
    void distinguishesNewFromRepeatedArrivals() {
        journal.committed();
        journal.committed();
        assertThat(arrives("a", "1", 5)).isTrue();
        assertThat(arrives("a", "1", 900)).isFalse();

        assertThat(journal.duplicates()).isEqualTo(1);
        assertThat(journal.waiting()).isEqualTo(1);
        assertThat(journal.latency(1)).isEqualTo(Duration.ofMillis(5));
    }

    @Test
    void keepsTheOrderOfTheFirstArrivals() {
        arrives("a", "1", 1);
        arrives("b", "2", 1);
        arrives("c", "1", 1);
        arrives("a", "1", 1);
        assertThat(journal.idsByKey().get("orders/1")).isEqualTo(List.of("a", "c"));
    }

    @Test
    void ranksLatencies() {
        for (int n = 1; n <= 100; n++) {
            arrives("event-" + n, "1", n);
        }
        assertThat(journal.latency(0.50)).isEqualTo(Duration.ofMillis(50));
        assertThat(journal.latency(0.99)).isEqualTo(Duration.ofMillis(99));
        journal.forgetLatencies();
        assertThat(journal.latency(0.99)).isEqualTo(Duration.ZERO);
    }

    private boolean arrives(String id, String key, int millis) {
        return journal.arrived(new Journal.Arrival(id, "OrderCreated", "orders", key, Duration.ofMillis(millis)));
    }
}
