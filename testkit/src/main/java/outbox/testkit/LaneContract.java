package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.internal.KeyHash;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.LanePage;

/** A look at lanes shows what is in order in each, oldest first, and says where it is not all. */
interface LaneContract extends ContractPart {

    /** Two keys with one hash. */
    String TWIN_KEY = "ef6878a58b";

    String OTHER_TWIN_KEY = "8bd42f28ce";

    @Test
    default void showsTheLanesAskedForAndNoOthers() {
        EventEnvelope first = underTest().publish(Events.ofKey("a"));
        EventEnvelope other = underTest().publish(Events.ofKey("b"));
        EventEnvelope left = underTest().publish(Events.ofKey("c"));
        EventEnvelope second = underTest().publish(Events.ofKey("a"));

        List<LanePage> lanes = lanes(100, PartitionScan.BYTES_MAX, "a", "b");

        assertThat(lanes).hasSize(2).allMatch(LanePage::complete);
        assertThat(idsOf(lanes, "a")).containsExactly(first.eventId(), second.eventId());
        assertThat(idsOf(lanes, "b")).containsExactly(other.eventId());
        assertThat(lanes).noneMatch(lane -> PartitionScan.ids(lane.events()).contains(left.eventId()));
        assertThat(of(lanes, "a").events()).extracting(FetchedEvent::keyHash).containsOnly(KeyHash.of("a"));
        assertThat(of(lanes, "a").events()).extracting(FetchedEvent::seq).isSorted();
    }

    @Test
    default void showsALaneWithoutEventsAsEmpty() {
        underTest().publish(Events.ofKey("a"));

        List<LanePage> lanes = lanes(100, PartitionScan.BYTES_MAX, "a", "no such key");

        assertThat(lanes).hasSize(2);
        assertThat(of(lanes, "no such key").events()).isEmpty();
        assertThat(of(lanes, "no such key").complete()).isTrue();
    }

    @Test
    default void showsTheLaneOfAnEventWithoutAKey() {
        EventEnvelope event = underTest().publish(Events.any());

        assertThat(PartitionScan.ids(
                        underTest().partitions().lane(event.eventId()).events()))
                .containsExactly(event.eventId());
    }

    @Test
    default void showsNoMoreEventsOfALaneThanAskedForAndSaysOfWhich() {
        List<String> long3 = publish("a", 3);
        List<String> long2 = publish("b", 2);

        List<LanePage> lanes = lanes(2, PartitionScan.BYTES_MAX, "a", "b");

        assertThat(idsOf(lanes, "a")).containsExactlyElementsOf(long3.subList(0, 2));
        assertThat(of(lanes, "a").complete()).isFalse();
        assertThat(idsOf(lanes, "b")).containsExactlyElementsOf(long2);
        assertThat(of(lanes, "b").complete()).isTrue();
    }

    @Test
    default void showsNoMorePayloadBytesOfLanesThanAskedForAndSaysOfWhich() {
        List<String> keys = List.of("a", "b", "c");
        keys.forEach(key -> {
            underTest().publish(ofBytes(key, 100));
            underTest().publish(ofBytes(key, 100));
        });

        for (int fits = 1; fits <= 6; fits++) {
            List<LanePage> lanes = lanes(100, fits * 100 + 50, "a", "b", "c");

            assertThat(lanes).hasSize(3);
            assertThat(lanes.stream().mapToInt(lane -> lane.events().size()).sum())
                    .isEqualTo(fits);
            assertThat(lanes)
                    .allSatisfy(lane ->
                            assertThat(lane.complete()).isEqualTo(lane.events().size() == 2));
        }
        assertThat(lanes(100, 600, "a", "b", "c")).allMatch(LanePage::complete);
    }

    /** Who takes a lane for complete that is not leaves the rest of it in the table, and goes on with what comes later. */
    @Test
    default void takesNoLaneForCompleteThatIsNotWhateverTheLimits() {
        Map<String, List<String>> all = new HashMap<>();
        for (String key : List.of("a", "b", "c", "d")) {
            List<EventEnvelope> three = List.of(ofBytes(key, 100), ofBytes(key, 100), ofBytes(key, 100));
            three.forEach(underTest()::publish);
            all.put(key, three.stream().map(EventEnvelope::eventId).toList());
        }
        for (int eventsPerLaneMax = 1; eventsPerLaneMax <= 4; eventsPerLaneMax++) {
            for (int bytesMax = 50; bytesMax <= 1_250; bytesMax += 100) {
                List<LanePage> lanes = lanes(eventsPerLaneMax, bytesMax, "a", "b", "c", "d");

                assertThat(lanes).anyMatch(lane -> !lane.events().isEmpty());
                String limits = ", " + eventsPerLaneMax + " events of a lane and " + bytesMax + " bytes at most";
                all.forEach((key, ids) -> {
                    List<String> shown = idsOf(lanes, key);
                    assertThat(shown).as(key + limits).isEqualTo(ids.subList(0, shown.size()));
                    if (of(lanes, key).complete()) {
                        assertThat(shown).as(key + limits).isEqualTo(ids);
                    }
                });
            }
        }
    }

    @Test
    default void showsTheFirstEventOfTheFirstLaneWhateverItsSize() {
        List<String> keys = new ArrayList<>(List.of("a", "b", "c"));
        keys.sort(Comparator.comparingInt(KeyHash::of));
        keys.forEach(key -> underTest().publish(ofBytes(key, 5_000)));

        List<LanePage> lanes = lanes(100, 1, "a", "b", "c");

        assertThat(of(lanes, keys.get(0)).events()).hasSize(1);
        assertThat(of(lanes, keys.get(0)).complete()).isTrue();
        assertThat(of(lanes, keys.get(1)).events()).isEmpty();
        assertThat(of(lanes, keys.get(1)).complete()).isFalse();
        assertThat(of(lanes, keys.get(2)).complete()).isFalse();
    }

    @Test
    default void showsTwoKeysWithOneHashAsOneLane() {
        assertThat(KeyHash.of(TWIN_KEY)).isEqualTo(KeyHash.of(OTHER_TWIN_KEY));
        EventEnvelope first = underTest().publish(Events.ofKey(TWIN_KEY));
        EventEnvelope second = underTest().publish(Events.ofKey(OTHER_TWIN_KEY));
        EventEnvelope third = underTest().publish(Events.ofKey(TWIN_KEY));

        List<FetchedEvent> lane = underTest().partitions().lane(OTHER_TWIN_KEY).events();

        assertThat(PartitionScan.ids(lane)).containsExactly(first.eventId(), second.eventId(), third.eventId());
        assertThat(lane)
                .extracting(pending -> pending.event().orderingKey())
                .containsExactly(TWIN_KEY, OTHER_TWIN_KEY, TWIN_KEY);
    }

    @Test
    default void showsOfALaneWhatIsInOrderOnly() {
        EventEnvelope done = underTest().publish(Events.ofKey("a"));
        underTest().publish(delayed("a", ClaimContract.FAR_AHEAD));
        EventEnvelope waiting = underTest().publish(Events.ofKey("a"));
        EventEnvelope due = underTest().publish(delayed("a", ClaimContract.LONG_AGO));
        RelayNode.settleAside(underTest(), SettleItems.done(done));
        RelayNode.fail(underTest(), waiting, Duration.ofHours(1));

        LanePage lane = underTest().partitions().lane("a");

        assertThat(PartitionScan.ids(lane.events())).containsExactly(waiting.eventId(), due.eventId());
        assertThat(lane.events().get(0).untilDue()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
        assertThat(lane.events().get(1).untilDue()).isZero();
        assertThat(lane.complete()).isTrue();
        assertThat(lanes(2, PartitionScan.BYTES_MAX, "a").get(0).complete()).isTrue();
    }

    private List<String> publish(String key, int count) {
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            ids.add(underTest().publish(Events.ofKey(key)).eventId());
        }
        return ids;
    }

    private List<LanePage> lanes(int eventsPerLaneMax, long bytesMax, String... keys) {
        Set<Integer> hashes = List.of(keys).stream().map(KeyHash::of).collect(Collectors.toSet());
        return underTest().partitions().lanes(hashes, eventsPerLaneMax, bytesMax);
    }

    private static LanePage of(List<LanePage> lanes, String key) {
        return lanes.stream()
                .filter(lane -> lane.keyHash() == KeyHash.of(key))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no lane of key " + key));
    }

    private static List<String> idsOf(List<LanePage> lanes, String key) {
        return PartitionScan.ids(of(lanes, key).events());
    }

    private static EventEnvelope ofBytes(String key, int size) {
        return EventEnvelope.builder(Events.TYPE)
                .orderingKey(key)
                .payloadBytes(new byte[size])
                .build();
    }

    private static EventEnvelope delayed(String key, Instant time) {
        return Events.sample().orderingKey(key).availableAt(time).build();
    }
}
