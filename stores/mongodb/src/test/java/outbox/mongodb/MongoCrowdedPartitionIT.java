package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.internal.KeyHash;
import outbox.mongodb.internal.event.Buckets;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionStore;
import outbox.testkit.StoreFixture;

/** A partition in which so many events wait behind parked keys that it is read lane by lane. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MongoCrowdedPartitionIT {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 1);
    private static final int EVENTS_MAX = 5;
    private static final int LANES = 400;
    private static final int LOOKS = 20;

    /** A bucket that is full of lanes comes before another in the index; the youngest event of all lies in that one. */
    @Test
    void showsLanesOfEveryBucketInTheirTurn() {
        List<String> first = keysOf(10);
        List<String> last = keysOf(110);
        Set<Integer> parked = Set.of(KeyHash.of(first.getFirst()), KeyHash.of(last.getFirst()));
        try (TestMongo mongo = TestMongo.open().installed()) {
            StoreFixture fixture = MongoStoreFixture.open(mongo);
            publish(fixture, IntStream.range(0, 600).mapToObj(i -> first.getFirst()));
            publish(fixture, Stream.of(last.getFirst()));
            for (int i = 0; i <= EVENTS_MAX; i++) {
                publish(fixture, first.stream().skip(1));
            }
            publish(fixture, Stream.of(last.get(1)));
            PartitionStore store = fixture.relayStore();
            Set<String> seen = new HashSet<>();

            for (int look = 0; look < LOOKS; look++) {
                store.fetch(List.of(new PartitionFetch(TERMS, 0, 0, parked, EVENTS_MAX, 1 << 20)))
                        .getFirst()
                        .events()
                        .forEach(event -> seen.add(event.event().orderingKey()));
            }

            assertThat(seen).hasSizeGreaterThan(LOOKS / 2).contains(last.get(1));
        }
    }

    private static List<String> keysOf(int bucket) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "key-" + i)
                .filter(key -> Buckets.of(KeyHash.of(key)) == bucket)
                .limit(LANES)
                .toList();
    }

    private static void publish(StoreFixture fixture, Stream<String> keys) {
        try (StoreFixture.Session session = fixture.newSession()) {
            session.begin();
            session.store()
                    .store(
                            keys.map(key -> EventEnvelope.builder("OrderPlaced")
                                            .orderingKey(key)
                                            .payloadJson("{}")
                                            .build())
                                    .toList(),
                            null);
            session.commit();
        }
    }
}
