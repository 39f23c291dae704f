package outbox.relay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A key or a partition that has far more than its share. */
class HotKeyDetectorTest {

    private final List<RelayEvent> events = new ArrayList<>();
    private final HotKeyDetector hotSpots = new HotKeyDetector(4, events::add);
    private final HotPartitionDetector heat = new HotPartitionDetector(events::add);

    @Test
    void namesAKeyThatHasAQuarterOfTheEvents() {
        for (int n = 0; n < 10_000; n++) {
            hotSpots.count(n % 10 < 3 ? "hot" : "key-" + n % 20);
        }

        assertThat(events).hasSize(1);
        RelayEvent.HotKey hot = (RelayEvent.HotKey) events.get(0);
        assertThat(hot.key()).isEqualTo("hot");
        assertThat(hot.partition()).isEqualTo(4);
        assertThat(hot.share()).isBetween(0.29, 0.31);
        assertThat(hot.events()).isEqualTo(10_000);
    }

    @Test
    void findsAHotKeyAmongCountlessOthers() {
        for (int n = 0; n < 10_000; n++) {
            hotSpots.count(n % 2 == 0 ? "hot" : "once-" + n);
        }

        assertThat(events).hasSize(1);
        assertThat(((RelayEvent.HotKey) events.get(0)).share()).isBetween(0.45, 0.5);
    }

    @Test
    void findsAHotKeyThatCameWhenAllCountersWereTaken() {
        for (int n = 0; n < 1_000; n++) {
            hotSpots.count("once-" + n);
        }
        for (int n = 1_000; n < 10_000; n++) {
            hotSpots.count(n % 2 == 0 ? "hot" : "once-" + n);
        }

        assertThat(events).hasSize(1);
        assertThat(((RelayEvent.HotKey) events.get(0)).key()).isEqualTo("hot");
    }

    @Test
    void namesNobodyWhenAllAreEqual() {
        for (int n = 0; n < 20_000; n++) {
            hotSpots.count("key-" + n % 5);
        }

        assertThat(events).isEmpty();
    }

    @Test
    void saysNothingBeforeItHasSeenEnough() {
        for (int n = 0; n < 9_999; n++) {
            hotSpots.count("hot");
        }
        assertThat(events).isEmpty();

        hotSpots.count("hot");
        assertThat(events).hasSize(1);
    }

    @Test
    void countsAnewInEachWindow() {
        for (int n = 0; n < 30_000; n++) {
            hotSpots.count(n < 10_000 ? "hot" : "key-" + n % 5);
        }

        assertThat(events).hasSize(1);
    }

    @Test
    void namesAPartitionThatHasTwiceItsShare() {
        heat.compare(Map.of(0, 5_000L, 1, 2_000L, 2, 2_000L, 3, 1_000L));

        assertThat(events).containsExactly(new RelayEvent.HotPartition(0, 0.5, 10_000));
    }

    @Test
    void namesNoPartitionWhenTheyAreEven() {
        heat.compare(Map.of(0, 3_000L, 1, 3_000L, 2, 3_000L, 3, 3_000L));
        heat.compare(Map.of(0, 13_000L, 1, 13_000L, 2, 13_000L, 3, 13_000L));

        assertThat(events).isEmpty();
    }

    @Test
    void namesTheOnlyPartitionNever() {
        heat.compare(Map.of(0, 1_000_000L));

        assertThat(events).isEmpty();
    }

    @Test
    void wantsMuchOfOneOfTwoPartitions() {
        heat.compare(Map.of(0, 8_000L, 1, 2_000L));
        assertThat(events).isEmpty();

        heat.compare(Map.of(0, 8_000L + 9_500, 1, 2_000L + 500));
        assertThat(events).containsExactly(new RelayEvent.HotPartition(0, 0.95, 10_000));
    }

    @Test
    void letsFewEventsAddUp() {
        heat.compare(Map.of(0, 2_000L, 1, 0L, 2, 0L));
        heat.compare(Map.of(0, 6_000L, 1, 0L, 2, 0L));
        assertThat(events).isEmpty();
        heat.compare(Map.of(0, 10_000L, 1, 0L, 2, 0L));

        assertThat(events).containsExactly(new RelayEvent.HotPartition(0, 1.0, 10_000));
        heat.compare(Map.of(0, 12_000L, 1, 0L, 2, 0L));
        assertThat(events).as("only what is new counts").hasSize(1);
    }

    @Test
    void beginsAnewWithASlotThatCameBack() {
        heat.compare(Map.of(0, 10_000L, 1, 10_000L, 2, 10_000L));
        events.clear();

        heat.compare(Map.of(0, 9_000L, 1, 10_500L, 2, 10_500L));

        assertThat(events).containsExactly(new RelayEvent.HotPartition(0, 0.9, 10_000));
    }
}
