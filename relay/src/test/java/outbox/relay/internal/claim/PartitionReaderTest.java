package outbox.relay.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.internal.KeyHash;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.Horizon;
import outbox.spi.relay.Numbering;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.PeekRequest;
import outbox.testkit.InMemoryStore;
import outbox.testkit.ManualTime;
import outbox.testkit.StoreFixture.Session;
import outbox.testkit.World;

class PartitionReaderTest {

    private static final ClusterLayout ONE_SLOT = new ClusterLayout(ClaimStrategy.PARTITIONED, 1);
    private static final PartitionReader.Capacity PLENTY = new PartitionReader.Capacity(100, 1 << 20, Set.of());

    private final InMemoryStore store = new InMemoryStore(new ManualTime());
    private PartitionReader reader = reader();
    private PartitionStore from = store.relayStore();

    @Test
    void readsFromTheOldestOn() {
        publish(store, "a", "b", "c");

        assertThat(seqs(read(PLENTY))).containsExactly(1L, 2L, 3L);
        assertThat(reader.bound()).isEqualTo(3);
        assertThat(seqs(read(PLENTY))).isEmpty();
        publish(store, "a");
        assertThat(seqs(read(PLENTY))).containsExactly(4L);
    }

    @Test
    void goesNoFurtherThanItHasRead() {
        publish(store, "a", "b", "c");

        PartitionPage first = read(new PartitionReader.Capacity(2, 1 << 20, Set.of()));

        assertThat(first.complete()).isFalse();
        assertThat(reader.bound()).isEqualTo(1);
        assertThat(seqs(read(PLENTY)))
                .as("another event may have the number of the last one")
                .containsExactly(2L, 3L);
    }

    @Test
    void readsBothEventsOfOneNumber() {
        publish(store, "a", "b");
        store.restartNumbering();
        publish(store, "c", "d");
        Set<String> read = new HashSet<>();
        for (int page = 1; page <= 4; page++) {
            PartitionReader.Capacity room = new PartitionReader.Capacity(page, 1 << 20, Set.of());
            read(room).events().forEach(event -> read.add(event.event().eventId()));
        }

        assertThat(read).hasSize(4);
    }

    @Test
    void goesNoFurtherThanTheStoreVouchesFor() {
        publish(store, "a");
        try (Session late = store.newSession()) {
            late.begin();
            OutboxClient.storeOnly(late.store()).publish(World.ofKey("a"));
            publish(store, "a");

            assertThat(seqs(read(PLENTY))).containsExactly(1L, 3L);
            assertThat(reader.bound()).isEqualTo(1);
            assertThat(seqs(read(PLENTY))).as("again").containsExactly(3L);
            late.commit();
        }

        assertThat(seqs(read(PLENTY))).containsExactly(2L, 3L);
        assertThat(reader.bound()).isEqualTo(3);
    }

    @Test
    void goesNoFurtherThanTheHorizonEvenIfMoreWasRead() {
        publish(store, "a");
        try (Session late = store.newSession()) {
            late.begin();
            OutboxClient.storeOnly(late.store()).publish(World.ofKey("a"));
            publish(store, "a", "b");

            read(new PartitionReader.Capacity(2, 1 << 20, Set.of()));

            assertThat(reader.bound()).isEqualTo(1);
        }
    }

    @Test
    void readsEverythingAgainWhereTheStoreVouchesForNothing() {
        InMemoryStore blind = InMemoryStore.withoutHorizon(new ManualTime());
        publish(blind, "a", "b");
        from = blind.relayStore();
        reader = reader();

        assertThat(seqs(read(PLENTY))).containsExactly(1L, 2L);
        assertThat(reader.bound()).isZero();
        assertThat(seqs(read(PLENTY))).containsExactly(1L, 2L);
    }

    @Test
    void neverGoesBack() {
        publish(store, "a", "b");
        read(PLENTY);
        assertThat(reader.bound()).isEqualTo(2);

        reader.accept(new PartitionPage(List.of(), true, new Horizon.UpTo(1), new Numbering(1, 0)));

        assertThat(reader.bound()).isEqualTo(2);
    }

    @Test
    void beginsAnewWhenNumbersHaveGoneBack() {
        publish(store, "a", "b", "c");
        read(PLENTY);
        store.restartNumbering();

        assertThat(seqs(read(PLENTY))).isEmpty();
        assertThat(reader.bound()).isZero();
        assertThat(seqs(read(PLENTY))).containsExactly(1L, 2L, 3L);
    }

    @Test
    void leavesOutTheLanesItIsTold() {
        publish(store, "a", "b", "c");

        PartitionPage fetched = read(new PartitionReader.Capacity(100, 1 << 20, Set.of(KeyHash.of("b"))));

        assertThat(seqs(fetched)).containsExactly(1L, 3L);
    }

    @Test
    void readsNoMoreBytesThanThereIsRoomFor() {
        for (int n = 0; n < 3; n++) {
            publish(store, World.ofBytes(400));
        }

        assertThat(seqs(read(new PartitionReader.Capacity(100, 1_000, Set.of()))))
                .containsExactly(1L, 2L);
        assertThat(seqs(read(new PartitionReader.Capacity(100, 1, Set.of())))).containsExactly(2L);
    }

    @Test
    void readsItsOwnSlotOnly() {
        ClusterLayout terms = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
        publish(store, "a", "b", "c", "d", "e", "f", "g");
        int partition = terms.partitionOf(KeyHash.of("a"));

        reader = new PartitionReader(terms, partition);
        PartitionPage fetched = read(PLENTY);

        assertThat(fetched.events()).isNotEmpty().allMatch(event -> terms.partitionOf(event.keyHash()) == partition);
        assertThat(fetched.events()).hasSizeLessThan(7);
    }

    @Test
    void saysFromWhereAnEventWouldBeNews() {
        publish(store, "a", "b");
        read(PLENTY);

        assertThat(reader.position(Set.of(5)))
                .isEqualTo(new PeekRequest.Position(0, 2, new Numbering(1, 0), Set.of(5)));
    }

    @Test
    void aFetchThatWasBegunInTheFormerNumberingIsNotCurrent() {
        publish(store, "a", "b");
        read(PLENTY);
        PartitionFetch early = reader.request(PLENTY);
        assertThat(reader.isCurrent(early)).isTrue();
        store.empty();
        publish(store, "a", "b", "c");

        assertThat(read(PLENTY).horizon()).isEqualTo(Horizon.SEQUENCE_RESET);
        assertThat(reader.isCurrent(early)).isFalse();
        assertThat(read(PLENTY).events()).hasSize(3);
        assertThat(reader.isCurrent(early)).isFalse();
    }

    private static PartitionReader reader() {
        return new PartitionReader(ONE_SLOT, 0);
    }

    /** Fetches what the reader asks for, and gives it what comes; returns the events that it takes. */
    private PartitionPage read(PartitionReader.Capacity room) {
        PartitionPage page = from.fetch(List.of(reader.request(room))).getFirst();
        return page.with(reader.accept(page));
    }

    private static void publish(InMemoryStore to, String... keys) {
        for (String key : keys) {
            publish(to, World.ofKey(key));
        }
    }

    private static void publish(InMemoryStore to, EventEnvelope event) {
        try (Session session = to.newSession()) {
            session.begin();
            OutboxClient.storeOnly(session.store()).publish(event);
            session.commit();
        }
    }

    private static List<Long> seqs(PartitionPage fetched) {
        return fetched.events().stream().map(FetchedEvent::seq).toList();
    }
}
