package outbox.mongodb.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.mongodb.internal.relay.PartitionBuckets;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;

class BucketsTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 6, 7, 9, 64, 120, 121, 240, 1024})
    void everyHashIsFoundInTheBucketsOfItsSlot(int partitions) {
        ClusterLayout terms = new ClusterLayout(ClaimStrategy.PARTITIONED, partitions);
        for (int i = 0; i < 500; i++) {
            int keyHash = i * 4_294_967 + i;
            BsonDocument slot = filter(terms, terms.partitionOf(keyHash));

            assertThat(slot.getDocument("bucket").getArray("$in")).contains(new BsonInt32(Buckets.of(keyHash)));
        }
    }

    @Test
    void aNumberThatDividesReadsNothingOfOtherSlots() {
        BsonDocument slot = filter(new ClusterLayout(ClaimStrategy.PARTITIONED, 6), 5);

        assertThat(slot.containsKey("keyHash")).isFalse();
        assertThat(slot.getDocument("bucket").getArray("$in")).hasSize(20);
    }

    @Test
    void anyOtherNumberTellsSlotsApartByTheHash() {
        BsonDocument slot = filter(new ClusterLayout(ClaimStrategy.PARTITIONED, 64), 63);

        assertThat(slot.getDocument("keyHash").getArray("$mod").toArray())
                .extracting(Object::toString)
                .containsExactly("BsonInt64{value=64}", "BsonInt64{value=63}");
        assertThat(slot.getDocument("bucket").getArray("$in")).hasSize(15);
    }

    private static BsonDocument filter(ClusterLayout terms, int slot) {
        BsonDocument all = PartitionBuckets.of(terms, slot, Set.of()).byLane().toBsonDocument();
        if (!all.containsKey("$and")) {
            return all;
        }
        BsonDocument flat = new BsonDocument();
        all.getArray("$and").forEach(part -> flat.putAll(part.asDocument()));
        return flat;
    }
}
