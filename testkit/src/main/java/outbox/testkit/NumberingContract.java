package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.spi.relay.Horizon;
import outbox.spi.relay.Numbering;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PeekRequest.Position;

/**
 * An operator may empty the table, and then events are given the numbers that others had before. Who has read up to such a
 * number hears of that, or is shown the events: none is left out.
 */
interface NumberingContract extends ContractPart {

    @Test
    default void whoHasReadBeyondHearsThatNumbersAreOthers() {
        PartitionScan slots = underTest().partitions();
        Read read = readAll(slots, publishSome(4));
        underTest().fixture().empty();
        List<EventEnvelope> after = publishSome(7); // More than before, so that numbers have passed the position again.

        PartitionPage beyond = slots.fetchBehind(0, read.upTo(), read.numbering());
        PartitionPage shown = beyond.horizon().equals(Horizon.SEQUENCE_RESET) ? slots.fetch(0) : beyond;

        assertThat(PartitionScan.ids(shown.events())).isEqualTo(Events.ids(after));
    }

    @Test
    default void aPeekNamesAPartitionWhoseSequenceWasReset() {
        PartitionScan slots = underTest().partitions();
        Read read = readAll(slots, publishSome(4));
        underTest().fixture().empty();
        publishSome(4);

        assertThat(slots.poll(List.of(new Position(0, read.upTo(), read.numbering(), Set.of())), null)
                        .partitions())
                .containsExactly(0);
    }

    @Test
    default void aFetchForSeveralPartitionsLeavesOutNoEventWithAReusedNumber() {
        PartitionScan slots = underTest().partitions();
        List<EventEnvelope> before = publishSome(4);
        Set<String> known = Set.copyOf(Events.ids(before));
        long firstSeq = slots.read(before.get(0)).seq();
        Read read = readAll(slots, before);
        underTest().fixture().empty();
        List<EventEnvelope> after = publishSome(4);

        List<PartitionPage> seen =
                slots.fetch(List.of(slots.requestBehind(0, Math.min(firstSeq, read.upTo()), read.numbering(), known)));

        assertThat(seen)
                .hasSize(1)
                .allMatch(fetched -> fetched.horizon().equals(Horizon.SEQUENCE_RESET)
                        || PartitionScan.ids(fetched.events()).containsAll(Events.ids(after)));
    }

    /** The store sends a reader back until it has taken a page of the present numbering, however many answers are lost. */
    @Test
    default void aReaderWithoutABoundIsSentBackAgainAfterALostAnswer() {
        PartitionScan slots = underTest().partitions();
        publishSome(4);
        Numbering before = slots.fetch(0).numbering();
        underTest().fixture().empty();
        List<EventEnvelope> after = publishSome(4);

        for (int lost = 0; lost < 2; lost++) {
            PartitionPage page = slots.fetchBehind(0, 0, before);
            assertThat(before == null || page.horizon().equals(Horizon.SEQUENCE_RESET))
                    .as("the page of a reader of the former numbering: %s", page)
                    .isTrue();
        }
        Numbering now = slots.fetchBehind(0, 0, before).numbering();
        assertThat(PartitionScan.ids(slots.fetchBehind(0, 0, now).events())).isEqualTo(Events.ids(after));
        assertThat(slots.fetchBehind(0, 0, now).horizon()).isNotEqualTo(Horizon.SEQUENCE_RESET);
    }

    /** What a reader has read, as it names it in its next fetch. */
    record Read(long upTo, @Nullable Numbering numbering) {}

    /** Reads until the store vouches for these, or cannot tell. */
    private static Read readAll(PartitionScan slots, List<EventEnvelope> events) {
        long last = slots.read(events.get(events.size() - 1)).seq();
        List<Read> read = new ArrayList<>();
        Await.until("the horizon has reached the last event, or the store cannot tell", () -> {
            PartitionPage page = slots.fetch(0);
            read.add(new Read(Math.min(PartitionScan.upTo(page), last), page.numbering()));
            return page.horizon().equals(Horizon.UNKNOWN) || PartitionScan.upTo(page) >= last;
        });
        return read.getLast();
    }

    private List<EventEnvelope> publishSome(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> underTest()
                        .publish(Events.ofKey(n % 2 == 0 ? PartitionContract.FIRST_KEY : PartitionContract.SECOND_KEY)))
                .toList();
    }
}
