package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import outbox.util.SettableTime;

final class UlidsTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final SettableTime time = new SettableTime(NOON);
    private final Ulids ulids = new Ulids(time, new Random(42));

    @Test
    void have26CharactersOfTheAlphabet() {
        for (int i = 0; i < 1_000; i++) {
            time.pass(Duration.ofMillis(i % 2));
            assertThat(ulids.next()).matches("[0-7][0123456789ABCDEFGHJKMNPQRSTVWXYZ]{25}");
        }
    }

    @Test
    void noneOfAMillisecondSortsBeforeTheFirstOfIt() {
        String first = Ulids.firstOf(NOON);
        assertThat(first).hasSize(26).endsWith("0000000000000000");
        assertThat(ulids.next()).isGreaterThanOrEqualTo(first).isLessThan(Ulids.firstOf(NOON.plusMillis(1)));
        time.set(NOON.minusMillis(1));
        assertThat(new Ulids(time, new Random(1)).next()).isLessThan(first);
        assertThat(Ulids.firstOf(Instant.parse("1960-01-01T00:00:00Z"))).isEqualTo("0".repeat(26));
    }

    /** The example of the ULID specification: 1469918176385 is 01ARYZ6S41. */
    @Test
    void beginWithTheMillisecond() {
        time.set(Instant.ofEpochMilli(1_469_918_176_385L));

        assertThat(new Ulids(time, () -> 0L).next()).isEqualTo("01ARYZ6S410000000000000000");
        assertThat(new Ulids(time, () -> -1L).next()).isEqualTo("01ARYZ6S41ZZZZZZZZZZZZZZZZ");
    }

    @Test
    void putEveryRandomBitInItsPlace() {
        time.set(Instant.EPOCH);
        // 0x0123_456789ABCDEF0123 in the digits of the alphabet, as Python computes it.
        RandomGenerator random = Stream.of(0x0123L, 0x456789ABCDEF0123L).iterator()::next;

        assertThat(new Ulids(time, random).next()).isEqualTo("000000000004HMASW9NF6YY093");
    }

    @Test
    void ascendWithinAMillisecond() {
        assertAscending(several(1_000));
    }

    @Test
    void countUpByOneWithinAMillisecond() {
        Ulids zeros = new Ulids(time, () -> 0L);
        List<String> ids = Stream.generate(zeros::next).limit(33).toList();

        assertThat(ids.get(0)).endsWith("0000000000000000");
        assertThat(ids.get(1)).endsWith("0000000000000001");
        assertThat(ids.get(31)).endsWith("000000000000000Z");
        assertThat(ids.get(32)).endsWith("0000000000000010");
    }

    @Test
    void ascendWhenTheClockGoesBack() {
        List<String> ids = new ArrayList<>(several(10));
        time.set(NOON.minusSeconds(3_600));
        ids.addAll(several(10));
        time.set(NOON.plusMillis(1));
        ids.addAll(several(10));

        assertAscending(ids);
    }

    @Test
    void sortByTimeWhateverTheChance() {
        List<String> ids = new ArrayList<>();
        for (int day = 0; day < 400; day++) {
            ids.add(ulids.next());
            time.pass(Duration.ofDays(1));
        }

        assertAscending(ids);
    }

    @Test
    void carryFromTheLowerBitsToTheUpper() {
        RandomGenerator random = Stream.of(5L, -1L).iterator()::next; // upper 16 bits 5, lower 64 all ones
        Ulids almost = new Ulids(time, random);

        assertThat(almost.next()).endsWith("002ZZZZZZZZZZZZZ");
        assertThat(almost.next()).endsWith("0030000000000000");
    }

    @Test
    void borrowTheNextMillisecondWhenTheRandomPartOverflows() {
        RandomGenerator random = Stream.of(-1L, -1L, 7L, 0L, 9L, 0L).iterator()::next;
        Ulids full = new Ulids(time, random);
        String last = full.next();
        String borrowed = full.next();
        time.pass(Duration.ofMillis(1));
        String sameMillisecond = full.next();
        time.pass(Duration.ofMillis(1));
        String next = full.next();

        assertThat(last).endsWith("ZZZZZZZZZZZZZZZZ");
        assertAscending(List.of(last, borrowed, sameMillisecond, next));
        assertThat(sameMillisecond.substring(0, 10)).isEqualTo(borrowed.substring(0, 10));
        assertThat(next.substring(0, 10)).isGreaterThan(borrowed.substring(0, 10));
    }

    @Test
    void endInTheYear10889() {
        time.set(Instant.ofEpochMilli((1L << 48) - 1));
        assertThat(ulids.next()).startsWith("7ZZZZZZZZZ");

        time.pass(Duration.ofMillis(1));
        assertThatThrownBy(ulids::next)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("10889");
    }

    @Test
    void areNeverTheSameOnTwoThreads() throws Exception {
        int threads = 4;
        int each = 5_000;
        CyclicBarrier start = new CyclicBarrier(threads);
        Callable<List<String>> make = () -> {
            start.await();
            return several(each);
        };
        Set<String> all = new HashSet<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<List<String>>> made = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                made.add(pool.submit(make));
            }
            for (Future<List<String>> ids : made) {
                assertAscending(ids.get());
                all.addAll(ids.get());
            }
        }

        assertThat(all).hasSize(threads * each);
    }

    private List<String> several(int count) {
        return Stream.generate(ulids::next).limit(count).toList();
    }

    private static void assertAscending(List<String> ids) {
        assertThat(ids).isSorted().doesNotHaveDuplicates();
    }
}
