package catbox.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SightingsTest {

    private final Sightings sightings = new Sightings(100, 10);

    @Test
    void keysMayOvertakeEachOther() {
        see("a", 103, "b", 101, "a", 105, "b", 102);

        assertThat(sightings.inversions()).isZero();
        assertThat(sightings.different()).isEqualTo(4);
    }

    @Test
    void countsAnEventThatComesAfterALaterOneOfItsKey() {
        see("a", 103, "a", 101, "a", 102, "a", 104);

        assertThat(sightings.inversions()).isEqualTo(2);
        assertThat(sightings.duplicates()).isZero();
    }

    @Test
    void anEventThatComesAgainIsADuplicateAndNoInversion() {
        see("a", 101, "a", 102, "a", 101);

        assertThat(sightings.duplicates()).isEqualTo(1);
        assertThat(sightings.inversions()).isZero();
        assertThat(sightings.different()).isEqualTo(2);
    }

    @Test
    void eventsOfOtherRunsDoNotCount() {
        see("a", 99, "a", 110, "a", 100);

        assertThat(sightings.different()).isEqualTo(1);
        assertThat(sightings.duplicates()).isZero();
        assertThat(sightings.inversions()).isZero();
    }

    private void see(Object... keysAndNumbers) {
        for (int i = 0; i < keysAndNumbers.length; i += 2) {
            sightings.see((String) keysAndNumbers[i], (Integer) keysAndNumbers[i + 1]);
        }
    }
}
