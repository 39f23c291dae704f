package outbox.relay.internal.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IntSetTest {

    private final IntSet numbers = new IntSet();

    @Test
    void knowsWhatASetOfObjectsKnows() {
        Random random = new Random(4);
        Set<Integer> expected = new HashSet<>();
        for (int n = 0; n < 200_000; n++) {
            int number = random.nextInt(20_000) * 65_536 & Integer.MAX_VALUE; // Numbers that are much alike.
            if (random.nextInt(3) == 0) {
                numbers.remove(number);
                expected.remove(number);
            } else {
                numbers.add(number);
                expected.add(number);
            }
        }

        assertThat(numbers.size()).isEqualTo(expected.size());
        for (int n = 0; n < 20_000; n++) {
            int number = n * 65_536 & Integer.MAX_VALUE;
            assertThat(numbers.contains(number)).isEqualTo(expected.contains(number));
        }
    }

    @Test
    void takesTheSmallestAndTheLargestNumber() {
        numbers.add(0);
        numbers.add(Integer.MAX_VALUE);
        numbers.add(0);

        assertThat(numbers.size()).isEqualTo(2);
        assertThat(numbers.contains(0)).isTrue();
        assertThat(numbers.contains(Integer.MAX_VALUE)).isTrue();
        numbers.clear();
        assertThat(numbers.contains(0)).isFalse();
    }
}
