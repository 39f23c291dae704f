package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PeekRequest.Position;

/**
 * An operator may empty the table, and then events are given the numbers that others had before. Who has read up to such a
 * number hears of that, or is shown the events: none is left out.
 */
interface NumberingContract extends ContractPart {

    @Test
    default void whoHasReadBeyondHearsThatNumbersAreOthers() {
        SlotReader slots = underTest().slots();
        long position = readAll(slots, publishSome(4));
        underTest().fixture().empty();
        List<EventEnvelope> after = publishSome(7); // More than before, so that numbers have passed the position again.

        PartitionPage beyond = slots.fetch(0, position, Set.of());
        PartitionPage shown = beyond.horizon() == PartitionPage.OTHER_NUMBERS ? slots.fetch(0) : beyond;

        assertThat(SlotReader.ids(shown.events())).isEqualTo(Events.ids(after));
    }

    @Test
    default void aPollNamesASlotWhoseNumbersAreOthers() {
        SlotReader slots = underTest().slots();
        long position = readAll(slots, publishSome(4));
        underTest().fixture().empty();
        publishSome(4);

        assertThat(slots.poll(List.of(new Position(0, position, Set.of())), null)
                        .slots())
                .containsExactly(0);
    }

    @Test
    default void aLookAtSeveralSlotsLeavesOutNoneThatWasGivenAKnownNumber() {
        SlotReader slots = underTest().slots();
        List<EventEnvelope> before = publishSome(4);
        Set<String> known = Set.copyOf(Events.ids(before));
        long first = Math.min(slots.read(before.get(0)).seq(), readAll(slots, before));
        underTest().fixture().empty();
        List<EventEnvelope> after = publishSome(4);

        List<PartitionPage> seen = slots.fetchTogether(List.of(new PartitionFetch(
                RelayNode.TERMS, 0, first, Set.of(), known, SlotReader.EVENTS_MAX, SlotReader.BYTES_MAX)));

        assertThat(seen)
                .allMatch(fetched -> fetched.horizon() == PartitionPage.OTHER_NUMBERS
                        || SlotReader.ids(fetched.events()).containsAll(Events.ids(after)));
    }

    /** Reads until the store vouches for these, or cannot tell; returns up to where. */
    private static long readAll(SlotReader slots, List<EventEnvelope> events) {
        long last = slots.read(events.get(events.size() - 1)).seq();
        List<Long> positions = new ArrayList<>(List.of(0L));
        Await.until("the horizon has reached the last event, or the store cannot tell", () -> {
            long horizon = slots.fetch(0).horizon();
            positions.add(Math.min(horizon, last));
            return horizon == PartitionPage.NO_HORIZON || horizon >= last;
        });
        return positions.get(positions.size() - 1);
    }

    private List<EventEnvelope> publishSome(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> underTest()
                        .publish(Events.ofKey(n % 2 == 0 ? SlotContract.FIRST_KEY : SlotContract.SECOND_KEY)))
                .toList();
    }
}
