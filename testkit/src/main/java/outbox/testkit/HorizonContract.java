package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.spi.relay.Horizon;
import outbox.spi.relay.PartitionPage;

/**
 * An event takes its place at its insert and is seen from its commit on, so a younger one may be seen first. The
 * horizon of a look says up to where that cannot happen any more.
 */
interface HorizonContract extends ContractPart {

    @Test
    default void showsAnEventFromItsCommitOnInThePlaceThatItsInsertGaveIt() {
        PartitionScan slots = underTest().partitions();
        EventEnvelope late = Events.ofKey(PartitionContract.FIRST_KEY);
        EventEnvelope early = Events.ofKey(PartitionContract.FIRST_KEY);
        try (StoreFixture.Session session = underTest().fixture().newSession()) {
            session.begin();
            session.store().store(List.of(late), null);
            underTest().publish(early);

            assertThat(PartitionScan.ids(slots.fetch(0).events())).containsExactly(early.eventId());
            assertThat(PartitionScan.ids(slots.lane(PartitionContract.FIRST_KEY).events()))
                    .containsExactly(early.eventId());
            session.commit();
        }

        assertThat(PartitionScan.ids(slots.fetch(0).events())).containsExactly(late.eventId(), early.eventId());
        long place = slots.read(late).seq();
        assertThat(PartitionScan.ids(slots.fetch(0, place - 1, Set.of()).events()))
                .containsExactly(late.eventId(), early.eventId());
        assertThat(PartitionScan.ids(slots.fetch(0, place, Set.of()).events())).containsExactly(early.eventId());
    }

    @Test
    default void theHorizonStaysBelowEveryInsertThatIsStillOpen() {
        PartitionScan slots = underTest().partitions();
        EventEnvelope second = Events.ofKey(PartitionContract.FIRST_KEY);
        EventEnvelope first = Events.ofKey(PartitionContract.FIRST_KEY);
        EventEnvelope before = underTest().publish(Events.ofKey(PartitionContract.FIRST_KEY));
        List<Long> whileFirstIsOpen = new ArrayList<>();
        List<Long> whileSecondIsOpen = new ArrayList<>();
        try (StoreFixture.Session one = underTest().fixture().newSession();
                StoreFixture.Session two = underTest().fixture().newSession()) {
            one.begin();
            one.store().store(List.of(first), null);
            two.begin();
            two.store().store(List.of(second), null);
            underTest().publish(Events.any());
            // More than once: a store that needs two looks to be sure must be right at each of them.
            for (int look = 0; look < 5; look++) {
                whileFirstIsOpen.add(PartitionScan.upTo(slots.fetch(0)));
                underTest().publish(Events.any());
            }
            one.commit();
            for (int look = 0; look < 5; look++) {
                whileSecondIsOpen.add(PartitionScan.upTo(slots.fetch(0)));
                underTest().publish(Events.any());
            }
            two.commit();
        }

        assertThat(slots.read(first).seq()).isGreaterThan(slots.read(before).seq());
        assertThat(Collections.max(whileFirstIsOpen))
                .isLessThan(slots.read(first).seq());
        assertThat(Collections.max(whileSecondIsOpen))
                .isLessThan(slots.read(second).seq());
    }

    @Test
    default void theHorizonReachesTheNewestEventOnceNothingIsOpen() {
        PartitionScan slots = underTest().partitions();
        try (StoreFixture.Session session = underTest().fixture().newSession()) {
            session.begin();
            session.store().store(List.of(Events.any()), null);
            session.rollback();
        }
        EventEnvelope newest = underTest().publish(Events.any());
        long seq = slots.read(newest).seq();

        Await.until("the horizon has reached the newest event, or the store cannot tell", () -> {
            PartitionPage page = slots.fetch(0);
            return page.horizon().equals(Horizon.UNKNOWN) || PartitionScan.upTo(page) >= seq;
        });
    }

    @Test
    default void aFetchBeyondTheHorizonMissesNothingThatManyWritersCommit() {
        int writers = 3;
        int transactions = 40;
        List<String> published = Collections.synchronizedList(new ArrayList<>());
        Set<String> seen = new HashSet<>();
        AtomicInteger writing = new AtomicInteger(writers);
        PartitionScan slots = underTest().partitions();
        List<Runnable> racers = new ArrayList<>(Collections.nCopies(writers, () -> {
            for (int n = 0; n < transactions; n++) {
                List<EventEnvelope> events =
                        List.of(Events.ofKey(PartitionContract.FIRST_KEY), Events.ofKey(PartitionContract.SECOND_KEY));
                underTest().inTransaction(store -> events.forEach(event -> store.store(List.of(event), null)));
                published.addAll(Events.ids(events));
            }
            writing.decrementAndGet();
        }));
        racers.add(() -> {
            long position = 0;
            boolean last = false;
            while (!last) {
                last = writing.get() == 0;
                PartitionPage fetched = slots.fetch(0, position, Set.of());
                seen.addAll(PartitionScan.ids(fetched.events()));
                position = Math.max(position, PartitionScan.upTo(fetched));
            }
        });

        Race.between(racers);

        assertThat(seen).containsExactlyInAnyOrderElementsOf(published);
    }
}
