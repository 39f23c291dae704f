package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.model.Hold;
import outbox.util.KeyHash;

class HoldsTest {

    @Test
    void holdsNothingAtFirst() {
        assertThat(Holds.NONE.holdsSlot(0)).isFalse();
        assertThat(Holds.NONE.holdsRoute("r")).isFalse();
        assertThat(Holds.NONE.holdsDestination("d")).isFalse();
        assertThat(Holds.NONE.lanes()).isEmpty();
        assertThat(Holds.NONE.subjects()).isEmpty();
    }

    @Test
    void tellsTheKindsApart() {
        Holds holds = Holds.of(
                3,
                List.of(
                        hold(Hold.Kind.PARTITION, "2"),
                        hold(Hold.Kind.ROUTE, "orders"),
                        hold(Hold.Kind.DESTINATION, "kafka"),
                        hold(Hold.Kind.KEY, "k")));

        assertThat(holds.generation()).isEqualTo(3);
        assertThat(holds.holdsSlot(2)).isTrue();
        assertThat(holds.holdsSlot(1)).isFalse();
        assertThat(holds.holdsRoute("orders")).isTrue();
        assertThat(holds.holdsRoute("kafka")).isFalse();
        assertThat(holds.holdsDestination("kafka")).isTrue();
        assertThat(holds.holdsDestination("orders")).isFalse();
        assertThat(holds.lanes()).isEqualTo(Map.of(KeyHash.of("k"), "reason of k"));
        assertThat(holds.of(new Hold.Subject(Hold.Kind.KEY, "k"))).isPresent();
        assertThat(holds.of(new Hold.Subject(Hold.Kind.KEY, "other"))).isEmpty();
        assertThat(holds.subjects()).hasSize(4);
    }

    @Test
    void holdsEverySlotWithTheSource() {
        Holds holds = Holds.of(1, List.of(hold(Hold.Kind.SOURCE, "")));

        assertThat(holds.holdsSlot(0)).isTrue();
        assertThat(holds.holdsSlot(1_000)).isTrue();
    }

    private static Hold hold(Hold.Kind kind, String name) {
        return new Hold(new Hold.Subject(kind, name), "reason of " + name, "ada", Instant.EPOCH);
    }
}
