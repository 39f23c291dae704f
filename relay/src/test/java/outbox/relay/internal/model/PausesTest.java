package outbox.relay.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.internal.KeyHash;
import outbox.spi.relay.Pause;

class PausesTest {

    @Test
    void holdsNothingAtFirst() {
        assertThat(Pauses.NONE.isPartitionPaused(0)).isFalse();
        assertThat(Pauses.NONE.isRoutePaused("r")).isFalse();
        assertThat(Pauses.NONE.isDestinationPaused("d")).isFalse();
        assertThat(Pauses.NONE.lanes()).isEmpty();
        assertThat(Pauses.NONE.subjects()).isEmpty();
    }

    @Test
    void tellsTheKindsApart() {
        Pauses holds = Pauses.of(
                3,
                List.of(
                        hold(Pause.Kind.PARTITION, "2"),
                        hold(Pause.Kind.ROUTE, "orders"),
                        hold(Pause.Kind.DESTINATION, "kafka"),
                        hold(Pause.Kind.KEY, "k")));

        assertThat(holds.generation()).isEqualTo(3);
        assertThat(holds.isPartitionPaused(2)).isTrue();
        assertThat(holds.isPartitionPaused(1)).isFalse();
        assertThat(holds.isRoutePaused("orders")).isTrue();
        assertThat(holds.isRoutePaused("kafka")).isFalse();
        assertThat(holds.isDestinationPaused("kafka")).isTrue();
        assertThat(holds.isDestinationPaused("orders")).isFalse();
        assertThat(holds.lanes()).isEqualTo(Map.of(KeyHash.of("k"), "reason of k"));
        assertThat(holds.of(new Pause.Subject(Pause.Kind.KEY, "k"))).isPresent();
        assertThat(holds.of(new Pause.Subject(Pause.Kind.KEY, "other"))).isEmpty();
        assertThat(holds.subjects()).hasSize(4);
    }

    @Test
    void holdsEverySlotWithTheSource() {
        Pauses holds = Pauses.of(1, List.of(hold(Pause.Kind.SOURCE, "")));

        assertThat(holds.isPartitionPaused(0)).isTrue();
        assertThat(holds.isPartitionPaused(1_000)).isTrue();
    }

    private static Pause hold(Pause.Kind kind, String name) {
        return new Pause(new Pause.Subject(kind, name), "reason of " + name, "ada", Instant.EPOCH);
    }
}
